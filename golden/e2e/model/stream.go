package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

// tokens is what every count of tokens says: no client depends on it.
const tokens = 10

// object is a JSON object that is written.
type object map[string]any

// stream is the server-sent events of one answer.
type stream struct{ w http.ResponseWriter }

func newStream(w http.ResponseWriter) stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	return stream{w}
}

// named writes an event that carries its type as its name too.
func (s stream) named(o object) {
	fmt.Fprintf(s.w, "event: %s\n", o["type"])
	s.data(o)
}

func (s stream) data(o object) {
	line, err := json.Marshal(o)
	if err != nil {
		panic(err) // objects are made of what encodes
	}
	fmt.Fprintf(s.w, "data: %s\n\n", line)
}

// ids are unique in a test binary: a client files what it got under them.
var ids atomic.Int64

func newID(kind string) string { return fmt.Sprintf("%s_%06d", kind, ids.Add(1)) }

func encoded(args map[string]any) string {
	if args == nil {
		return "{}"
	}
	b, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// dialectOf says how the wire form behind a path is spoken and read; nil for a
// path that belongs to none.
func dialectOf(path string) (func(stream, []Block), func([]byte) (Seen, error)) {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return speakMessages, readMessages
	case strings.HasSuffix(path, "/responses"):
		return speakResponses, readResponses
	case strings.HasSuffix(path, "/chat/completions"):
		return speakChat, readChat
	case strings.HasSuffix(path, ":streamGenerateContent"):
		return speakGemini, readGemini
	}
	return nil, nil
}
