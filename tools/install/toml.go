package install

import (
	"bytes"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// The lines around what is ours in a TOML file.
const (
	blockBegin = "# >>> acc: written by acc install, removed by acc uninstall"
	blockEnd   = "# <<< acc"
)

// tomlBlock is the text of our block: one server, in a table of its own.
func tomlBlock(table string, lines ...string) string {
	return blockBegin + "\n[" + table + "]\n" + strings.Join(lines, "\n") + "\n" + blockEnd + "\n"
}

// tomlString writes a string. What JSON escapes, TOML reads as well.
func tomlString(s string) string { return marshal(s, "", "") }

// findBlock is where our block lies in a text, with its last line end; -1 when
// there is none. The text between is not looked at.
func findBlock(text []byte) (from, to int) {
	from = bytes.Index(text, []byte(blockBegin))
	if from < 0 || from > 0 && text[from-1] != '\n' {
		return -1, -1
	}
	end := bytes.Index(text[from:], []byte(blockEnd))
	if end < 0 {
		return -1, -1
	}
	to = from + end + len(blockEnd)
	for _, eol := range []string{"\r\n", "\n"} {
		if bytes.HasPrefix(text[to:], []byte(eol)) {
			return from, to + len(eol)
		}
	}
	return from, to
}

// checkTOML holds a text to the language, and looks for a server of our name
// outside our block.
func checkTOML(text []byte, server string) error {
	if err := toml.Unmarshal(text, &map[string]any{}); err != nil {
		return syntaxError(err)
	}
	if from, to := findBlock(text); from >= 0 {
		text = append(bytes.Clone(text[:from]), text[to:]...)
	}
	var rest struct {
		Servers map[string]any `toml:"mcp_servers"`
	}
	if err := toml.Unmarshal(text, &rest); err != nil {
		return syntaxError(err)
	}
	if _, taken := rest.Servers[server]; taken {
		return &unfit{what: "it has a server " + server + " that acc install did not write; remove or rename it, then try again"}
	}
	return nil
}

// putBlock puts our block at the end of a text, or in the place of the one that
// is there. lead is what went in before it.
func putBlock(text []byte, block string) (result []byte, lead string) {
	if bytes.Contains(text, []byte("\r\n")) {
		block = strings.ReplaceAll(block, "\n", "\r\n")
	}
	if from, to := findBlock(text); from >= 0 {
		if to == len(text) && !bytes.HasSuffix(text, []byte("\n")) {
			block = strings.TrimRight(block, "\r\n")
		}
		return append(append(bytes.Clone(text[:from]), block...), text[to:]...), ""
	}
	eol := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		eol = "\r\n"
	}
	if len(text) > 0 {
		lead = eol
		if !bytes.HasSuffix(text, []byte("\n")) {
			lead += eol
		}
	}
	return append(append(bytes.Clone(text), lead...), block...), lead
}

// takeBlock takes our block out, and what went in before it.
func takeBlock(text []byte, lead string) []byte {
	from, to := findBlock(text)
	if from < 0 {
		return text
	}
	if bytes.HasSuffix(text[:from], []byte(lead)) {
		from -= len(lead)
	}
	return append(bytes.Clone(text[:from]), text[to:]...)
}
