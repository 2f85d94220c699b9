package gitrepo

import "encoding/binary"

// applyDelta makes an object from its base, see gitformat-pack(5): the two
// sizes, then instructions that copy from the base or insert new bytes.
func applyDelta(base, delta []byte) ([]byte, error) {
	baseSize, n := binary.Uvarint(delta)
	if n <= 0 || baseSize != uint64(len(base)) {
		return nil, errObject
	}
	delta = delta[n:]
	size, n := binary.Uvarint(delta)
	if n <= 0 || size > maxObject {
		return nil, errObject
	}
	delta = delta[n:]
	out := make([]byte, 0, size)
	for len(delta) > 0 {
		var piece []byte
		piece, delta = nextPiece(base, delta)
		if piece == nil || len(out)+len(piece) > int(size) {
			return nil, errObject
		}
		out = append(out, piece...)
	}
	if len(out) != int(size) {
		return nil, errObject
	}
	return out, nil
}

// nextPiece reads one instruction; piece is nil when it makes no sense.
func nextPiece(base, delta []byte) (piece, rest []byte) {
	op := delta[0]
	delta = delta[1:]
	if op&128 == 0 {
		n := int(op)
		if n == 0 || n > len(delta) {
			return nil, nil
		}
		return delta[:n], delta[n:]
	}
	offset, delta, ok1 := sparseNumber(delta, op, 4)
	size, delta, ok2 := sparseNumber(delta, op>>4&7, 3)
	if size == 0 {
		size = 1 << 16
	}
	if !ok1 || !ok2 || offset < 0 || offset > len(base) || size > len(base)-offset {
		return nil, nil
	}
	return base[offset : offset+size], delta
}

// sparseNumber reads a little-endian number of width bytes, of which only
// those are there whose bit is set in present.
func sparseNumber(b []byte, present byte, width int) (value int, rest []byte, ok bool) {
	for i := range width {
		if present>>i&1 == 0 {
			continue
		}
		if len(b) == 0 {
			return 0, nil, false
		}
		value |= int(b[0]) << (8 * i)
		b = b[1:]
	}
	return value, b, true
}
