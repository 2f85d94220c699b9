package fsstore

import (
	"encoding/binary"
	"io"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"

	"acc/schema"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// NewID gives the next id of the room. Ids never go backwards, whatever the
// clock does: behind a clock that was set back they go on counting within the
// last millisecond.
func (tx *Tx) NewID(kind schema.IDKind) (string, error) {
	next, err := nextULID(tx.next.LastID, ulid.Timestamp(tx.now), tx.store.env.Rand)
	if err != nil {
		return "", ioError("make an id", err)
	}
	tx.next.LastID = strings.ToLower(next.String())
	return schema.NewID(kind, next), nil
}

// nextULID is above last. In a new millisecond it is random; within the same
// one it is last plus a random step, so that ids stay hard to guess.
func nextULID(last string, ms uint64, random io.Reader) (ulid.ULID, error) {
	prev, err := ulid.ParseStrict(last)
	if err != nil || ms > prev.Time() {
		return ulid.New(ms, random)
	}
	var step [4]byte
	if _, err := io.ReadFull(random, step[:]); err != nil {
		return ulid.ULID{}, err
	}
	if increment(&prev, uint64(binary.BigEndian.Uint32(step[:]))+1) {
		return prev, nil
	}
	return ulid.New(prev.Time()+1, random)
}

// increment adds to the random part; false when it overflows.
func increment(u *ulid.ULID, by uint64) bool {
	low := binary.BigEndian.Uint64(u[8:])
	sum := low + by
	binary.BigEndian.PutUint64(u[8:], sum)
	if sum >= low {
		return true
	}
	high := binary.BigEndian.Uint16(u[6:8]) + 1
	binary.BigEndian.PutUint16(u[6:8], high)
	return high != 0
}
