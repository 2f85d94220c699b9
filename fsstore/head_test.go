package fsstore

import (
	"testing"
)

// bufferFile is a small file in memory.
type bufferFile struct {
	file
	data []byte
}

func (f *bufferFile) WriteAt(p []byte, off int64) (int, error) { return copy(f.data[off:], p), nil }
func (f *bufferFile) ReadAt(p []byte, off int64) (int, error)  { return copy(p, f.data[off:]), nil }

// TestHeadReadWhileItIsWritten: whoever reads a part of the old head and a part
// of the new one knows that it is none.
func TestHeadReadWhileItIsWritten(t *testing.T) {
	before := head{Epoch: 9, Seq: 99, Tail: 4096, State: state{Cursor: 99, EventEnd: 999, Messages: 9, LastID: "01k5x0f4e2m9v8r7c6b5a4z3y2"}}
	after := head{Epoch: 9, Seq: 100, Tail: 5555, State: state{Cursor: 100, EventEnd: 1111, Messages: 10, LastID: "01k5x0f4e2m9v8r7c6b5a4z3y3"}}
	written := func(h head) []byte {
		f := &bufferFile{data: make([]byte, headSize)}
		if err := writeHead(f, h); err != nil {
			t.Fatal(err)
		}
		if got, ok := readHead(f); !ok || got != h {
			t.Fatalf("%+v was read as %+v, %v", h, got, ok)
		}
		return f.data
	}
	old, young := written(before), written(after)
	for cut := range headSize {
		for _, torn := range [][]byte{append(append([]byte{}, young[:cut]...), old[cut:]...), append(append([]byte{}, old[:cut]...), young[cut:]...)} {
			if h, ok := parseHead(torn); ok && h != before && h != after {
				t.Fatalf("torn after %d bytes, it is read as %+v", cut, h)
			}
		}
	}
}
