// Package model stands in for the language model behind a coding agent: it
// listens on loopback, speaks the wire forms that the clients use, answers from
// a script and keeps what it was shown. The client itself is the real one: it
// calls tools and runs hooks as it does with any model.
package model

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// maxRequest is how many bytes of a request are read. Clients send a few
// hundred kilobytes of instructions and tools.
const maxRequest = 32 << 20

// Server is one running model. It ends with the test that started it.
type Server struct {
	// URL is where it listens, without a path.
	URL string

	mu     sync.Mutex
	script []Step
	seen   []Seen
	base   int
	failed []string
}

// Start runs a model that plays script, one step for each time a client asks
// for the next turn. A client that asks for more than there is hears "done".
func Start(t testing.TB, script ...Step) *Server {
	t.Helper()
	s := &Server{script: script, base: -1}
	listener := httptest.NewServer(s)
	t.Cleanup(listener.Close)
	s.URL = listener.URL
	return s
}

// Seen returns what the model was shown, one element for each turn it was
// asked for, in order. Requests without tools, such as those for a title, are
// left out.
func (s *Server) Seen() []Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// Turn returns what came to the model with turn i, counted from 0, since it
// spoke last; with turn 0 that is everything. It is "" when there was no such
// turn.
func (s *Server) Turn(i int) string {
	if seen := s.Seen(); i < len(seen) {
		return seen[i].New()
	}
	return ""
}

// Saw reports whether text was shown to the model at any time.
func (s *Server) Saw(text string) bool {
	return slices.ContainsFunc(s.Seen(), func(seen Seen) bool { return strings.Contains(seen.All(), text) })
}

// Failures are the requests that the model could not make sense of.
func (s *Server) Failures() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.failed)
}

// ServeHTTP answers one request of a client.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	speak, read := dialectOf(r.URL.Path)
	switch {
	case err != nil:
		s.refuse(w, r, err.Error())
	case r.Method == http.MethodHead:
		w.WriteHeader(http.StatusOK)
	case strings.HasSuffix(r.URL.Path, "/count_tokens"), strings.HasSuffix(r.URL.Path, ":countTokens"):
		writeJSON(w, map[string]int{"input_tokens": tokens, "totalTokens": tokens})
	case speak == nil:
		s.refuse(w, r, "no such path")
	default:
		seen, err := read(body)
		if err != nil {
			s.refuse(w, r, err.Error())
			return
		}
		speak(newStream(w), s.answer(seen))
	}
}

// answer picks the turn by how often the model spoke in the conversation so
// far, so that a request sent twice gets the same answer. A conversation that
// is resumed begins where this server first sees it.
func (s *Server) answer(seen Seen) []Block {
	if len(seen.Tools) == 0 {
		return Say("ok")
	}
	s.mu.Lock()
	if s.base < 0 {
		s.base = seen.Spoken
	}
	turn := seen.Spoken - s.base
	if turn >= len(s.seen) {
		s.seen = append(s.seen, seen)
	}
	s.mu.Unlock()
	if turn < 0 || turn >= len(s.script) {
		return Say("done")
	}
	return s.script[turn](seen)
}

func (s *Server) refuse(w http.ResponseWriter, r *http.Request, why string) {
	s.mu.Lock()
	s.failed = append(s.failed, r.Method+" "+r.URL.Path+": "+why)
	s.mu.Unlock()
	http.Error(w, why, http.StatusNotFound)
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	// The client has gone if this fails, and nobody is left to tell.
	_ = json.NewEncoder(w).Encode(v)
}
