package gitrepo

import (
	"bytes"
	"io"
)

// lfWriter passes text on with CRLF made LF, as Git stores files whose line
// ends it converts.
type lfWriter struct {
	w       io.Writer
	held    bool  // a CR came last; the next byte decides about it
	dropped int64 // how many CR were left out
}

// Write takes all of p.
func (l *lfWriter) Write(p []byte) (int, error) {
	chunk := p
	if l.held {
		chunk = append([]byte{'\r'}, p...)
	}
	if l.held = bytes.HasSuffix(chunk, []byte("\r")); l.held {
		chunk = chunk[:len(chunk)-1]
	}
	clean := chunk
	if bytes.Contains(chunk, []byte("\r\n")) {
		clean = bytes.ReplaceAll(chunk, []byte("\r\n"), []byte("\n"))
	}
	l.dropped += int64(len(chunk) - len(clean))
	_, err := l.w.Write(clean)
	return len(p), err
}

// end passes on a CR that nothing followed.
func (l *lfWriter) end() error {
	if !l.held {
		return nil
	}
	_, err := l.w.Write([]byte("\r"))
	return err
}
