package mcpserver

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// wireResponse and wireNotice are the two kinds of message that go out. The
// order of the fields is the order on the wire.
type wireResponse struct {
	Tag    protocolTag     `json:"jsonrpc"`
	ID     json.RawMessage `json:"id"` // byte for byte as the client wrote it; nil is null
	Result json.RawMessage `json:"result,omitempty"`
	Error  *refusal        `json:"error,omitempty"`
}

type wireNotice struct {
	Tag    protocolTag `json:"jsonrpc"`
	Method string      `json:"method"`
	Params any         `json:"params"`
}

// protocolTag marks a message as one of JSON-RPC 2.0.
type protocolTag struct{}

// MarshalJSON gives the one value there is.
func (protocolTag) MarshalJSON() ([]byte, error) { return []byte(`"2.0"`), nil }

// encode is the JSON of v on one line, without HTML escapes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// lineWriter puts one message on a line of its own.
type lineWriter struct {
	mu  sync.Mutex
	out io.Writer
	err error // the first failure; nothing is written after it
}

// write sends one message. Writers may call it at the same time.
func (w *lineWriter) write(message any) error {
	line, err := encode(message)
	if err != nil {
		return err
	}
	line = append(escapeSeparators(line), '\n')
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		_, w.err = w.out.Write(line)
	}
	return w.err
}

// escapeSeparators escapes U+2028 and U+2029, at which some clients split
// lines. In valid JSON they stand inside strings only.
func escapeSeparators(line []byte) []byte {
	line = bytes.ReplaceAll(line, []byte("\u2028"), []byte(`\u2028`))
	return bytes.ReplaceAll(line, []byte("\u2029"), []byte(`\u2029`))
}
