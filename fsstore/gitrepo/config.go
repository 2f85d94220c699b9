package gitrepo

import (
	"path/filepath"
	"strings"
)

// config holds the settings of one repository: section.key in lower case.
// Subsections keep their name between. Included files and the user's own
// configuration are not read: nothing that is asked for here belongs there.
type config map[string]string

// readConfig reads the shared configuration and, where the repository says
// that it has one, that of the worktree whose directory is gitDir.
func readConfig(commonDir, gitDir string) config {
	c := config{}
	text, _ := readText(filepath.Join(commonDir, "config"))
	c.parse(text)
	if c.flag("extensions.worktreeconfig", false) {
		text, _ = readText(filepath.Join(gitDir, "config.worktree"))
		c.parse(text)
	}
	return c
}

func (c config) text(key string) (string, bool) {
	v, ok := c[key]
	return v, ok && v != ""
}

func (c config) flag(key string, otherwise bool) bool {
	v, ok := c[key]
	if !ok {
		return otherwise
	}
	switch strings.ToLower(v) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// parse reads Git's format leniently: a line that it does not understand says
// nothing.
func (c config) parse(text string) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	text = strings.ReplaceAll(text, "\\\n", "")
	section := ""
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "["); ok {
			section, line = sectionName(rest)
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, value, isSet := strings.Cut(line, "=")
		if value = unquote(value); !isSet {
			value = "true"
		}
		c[section+"."+strings.ToLower(strings.TrimSpace(key))] = value
	}
}

// sectionName reads `name]` or `name "sub"]`, and what follows on the line.
func sectionName(s string) (name, rest string) {
	head, rest, _ := strings.Cut(s, "]")
	name, sub, hasSub := strings.Cut(head, `"`)
	name = strings.ToLower(strings.TrimSpace(name))
	if hasSub {
		name += "." + strings.TrimSuffix(sub, `"`)
	}
	return name, strings.TrimSpace(rest)
}

// unquote reads a value: quotes, escapes, and a comment after it.
func unquote(s string) string {
	var b strings.Builder
	quoted, kept := false, 0 // kept: the length that trimming must leave
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case ch == '"':
			quoted = !quoted
			kept = b.Len()
		case ch == '\\' && i+1 < len(s):
			i++
			b.WriteByte(unescape(s[i]))
			kept = b.Len()
		case !quoted && (ch == '#' || ch == ';'):
			i = len(s)
		case !quoted && b.Len() == 0 && (ch == ' ' || ch == '\t'):
		default:
			b.WriteByte(ch)
			if quoted || ch != ' ' && ch != '\t' {
				kept = b.Len()
			}
		}
	}
	return b.String()[:kept]
}

func unescape(ch byte) byte {
	switch ch {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	}
	return ch
}
