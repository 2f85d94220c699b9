package mcpserver

import "strings"

// quirks are the known needs of a client. They change the form of a result,
// never who somebody is or what a result says.
type quirks struct {
	wrapArrays bool // an array goes out as {"result": […]}
}

// knownQuirks is keyed by how clientInfo.name in initialize begins, in lower
// case: clients append the server's name or a version of theirs.
var knownQuirks = []struct {
	prefix string
	quirks quirks
}{
	// Gemini CLI parses the text as JSON and refuses what is no object.
	{"gemini-cli", quirks{wrapArrays: true}},
}

func quirksOf(clientName string) quirks {
	name := strings.ToLower(clientName)
	for _, k := range knownQuirks {
		if strings.HasPrefix(name, k.prefix) {
			return k.quirks
		}
	}
	return quirks{}
}
