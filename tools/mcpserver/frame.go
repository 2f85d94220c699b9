package mcpserver

import (
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep a message may nest. Real ones stay below ten.
const maxDepth = 512

// frame is one message of the client. In a frame that is refused only id is
// set, and only when the refusal can name it.
type frame struct {
	id     jsontext.Value // as it was written; nil for a notification
	method string
	params fields
	ignore bool // the line asks for nothing: it is blank or a response
}

// fields are the members of an object, each as it was written.
type fields map[string]jsontext.Value

// envelope is a message before it has been checked.
type envelope struct {
	JSONRPC jsontext.Value `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Method  jsontext.Value `json:"method"`
	Params  jsontext.Value `json:"params"`
	Result  jsontext.Value `json:"result"`
	Error   jsontext.Value `json:"error"`
}

// decode reads the outside of a value and leaves the inside as it is. Bad
// UTF-8 and names given twice pass: if they are inside the arguments of a tool,
// the tool's decoder refuses them by name.
func decode(data []byte, into any) error {
	return jsonv2.Unmarshal(data, into, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// parseFrame reads one line.
func parseFrame(line []byte) (frame, *refusal) {
	line = trimLine(line)
	if len(line) == 0 {
		return frame{ignore: true}, nil
	}
	var e envelope
	if refused := openEnvelope(line, &e); refused != nil {
		return frame{}, refused
	}
	if e.Method == nil && (e.Result != nil || e.Error != nil) {
		return frame{ignore: true}, nil // this server asks nothing, so nobody waits for it
	}
	f := frame{}
	if validID(e.ID) {
		f.id = e.ID
	}
	switch {
	case e.ID != nil && f.id == nil:
		return frame{}, invalidRequest("the id must be a string or a number")
	case depth(line) > maxDepth:
		return f, invalidRequest("the message nests too deep")
	case str(e.JSONRPC) != "2.0":
		return f, invalidRequest(`"jsonrpc" must be "2.0"`)
	case e.Method.Kind() != '"':
		return f, invalidRequest("the method must be a string")
	}
	f.method = str(e.Method)
	return f, f.setParams(e.Params)
}

// openEnvelope tells what is no JSON from what is JSON but no message.
func openEnvelope(line jsontext.Value, into *envelope) *refusal {
	switch err := decode(line, into); {
	case line[0] == '{' && err == nil:
		return nil
	case line[0] == '{' || !line.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)):
		return refuse(codeParse, "the line is not one JSON value")
	case line[0] == '[':
		return invalidRequest("batches are not supported; send one message per line")
	}
	return invalidRequest("a message is a JSON object")
}

// setParams takes the params of a request. Those of a notification are taken
// when they fit and otherwise left out, since nobody would read a refusal.
func (f *frame) setParams(raw jsontext.Value) *refusal {
	if raw == nil || raw.Kind() == 'n' {
		return nil
	}
	if err := decode(raw, &f.params); err != nil && f.id != nil {
		return invalidRequest("params must be an object")
	}
	return nil
}

// object is the member of that name, nil when it is absent or null.
func (f fields) object(name string) (fields, *refusal) {
	raw := f[name]
	if raw == nil || raw.Kind() == 'n' {
		return nil, nil
	}
	into := fields{}
	if err := decode(raw, &into); err != nil {
		return nil, invalidParams(name + " must be an object")
	}
	return into, nil
}

// validID reports whether an id can be echoed.
func validID(id jsontext.Value) bool {
	return id.Kind() == '0' || id.Kind() == '"' && utf8.Valid(id)
}

// str is the string that v holds, "" when it holds none. Half characters
// become U+FFFD.
func str(v jsontext.Value) string {
	if v.Kind() != '"' {
		return ""
	}
	var s string
	if err := decode(v, &s); err != nil {
		return ""
	}
	return s
}

// depth is how deep objects and arrays nest in data, which is valid JSON.
func depth(data []byte) int {
	deepest, open, inString := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch b := data[i]; {
		case inString && b == '\\':
			i++
		case b == '"':
			inString = !inString
		case inString:
		case b == '{' || b == '[':
			open++
			deepest = max(deepest, open)
		case b == '}' || b == ']':
			open--
		}
	}
	return deepest
}
