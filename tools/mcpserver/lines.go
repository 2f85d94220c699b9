package mcpserver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine is the longest message that is read, without its line end.
const maxLine = 16 << 20

// errLineTooLong is returned for a line that was skipped.
var errLineTooLong = errors.New("line too long")

// lineReader splits a stream at newlines. It never holds more than maxLine
// bytes of a line.
type lineReader struct{ r *bufio.Reader }

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{bufio.NewReaderSize(r, 64<<10)}
}

// next returns the next line without its newline, in memory of its own. A last
// line without a newline is returned like any other. After errLineTooLong the
// stream goes on; any other error, io.EOF included, is its end.
func (l *lineReader) next() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(bytes.TrimSuffix(line, []byte{'\n'})) > maxLine {
			long, line = true, nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil, errors.Is(err, io.EOF) && (long || len(line) > 0):
			if long {
				return nil, errLineTooLong
			}
			return bytes.TrimSuffix(line, []byte{'\n'}), nil
		default:
			return nil, err
		}
	}
}

// trimLine removes what may surround a message on its line: blanks, the
// carriage return of CRLF, and the byte order mark that some pipes put first.
func trimLine(line []byte) []byte {
	line = bytes.Trim(line, " \t\r")
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	return bytes.Trim(line, " \t\r")
}
