package mcpserver

import (
	"strings"
	"unicode"
)

// client is what a client says about itself.
type client struct {
	name, version string
	quirks        quirks
}

// newClient reads clientInfo, which may be absent or incomplete.
func newClient(info fields) client {
	return client{name: printable(str(info["name"])), version: printable(str(info["version"]))}
}

// printable cuts a name that a client gave itself to what can be stored and
// shown anywhere.
func printable(s string) string {
	const longest = 100
	var b strings.Builder
	n := 0
	for _, r := range s {
		if !unicode.IsPrint(r) {
			continue
		}
		if n++; n > longest {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}
