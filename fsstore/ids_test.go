package fsstore

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"acc/schema"
)

// TestIDsOnlyGrow moves the clock in every direction between transactions,
// and closes the room in between.
func TestIDsOnlyGrow(t *testing.T) {
	clock := newTestClock()
	dir := t.TempDir()
	last := ""
	for _, jump := range []time.Duration{0, 0, time.Millisecond, -time.Hour, 0, time.Hour, 48 * time.Hour, -72 * time.Hour, time.Minute} {
		clock.add(jump)
		s, err := Init(dir, testEnv(clock, &testLog{}))
		if err != nil {
			t.Fatal(err)
		}
		update(t, s, func(tx *Tx) error {
			for range 50 {
				id, err := tx.NewID(schema.IDMessage)
				if err != nil {
					return err
				}
				if id <= last || !schema.ValidID(schema.IDMessage, id) {
					t.Errorf("%s after %s, clock moved by %v", id, last, jump)
				}
				last = id
			}
			_, err := joinTx(tx, "alice") // something to commit
			return err
		})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestIDsSpillIntoTheNextMillisecond(t *testing.T) {
	highest := ulid.ULID{}
	for i := range highest {
		highest[i] = 0xff
	}
	if err := highest.SetTime(1000); err != nil {
		t.Fatal(err)
	}
	next, err := nextULID(strings.ToLower(highest.String()), 5, bytes.NewReader(make([]byte, 100)))
	if err != nil || next.Time() != 1001 {
		t.Errorf("%v at %d, %v", next, next.Time(), err)
	}
	// The carry goes from the low part to the high one.
	copy(highest[6:8], []byte{0, 1})
	next, err = nextULID(strings.ToLower(highest.String()), 5, bytes.NewReader(make([]byte, 100)))
	if err != nil || next.Time() != 1000 || next.Compare(highest) <= 0 {
		t.Errorf("%v after %v, %v", next, highest, err)
	}
}

func TestNoRandomnessNoID(t *testing.T) {
	if _, err := nextULID("", 5, bytes.NewReader(nil)); err == nil {
		t.Error("an id without randomness")
	}
	if _, err := nextULID("01k5x0f4e2m9v8r7c6b5a4z3y2", 5, failingReader{}); err == nil {
		t.Error("a step without randomness")
	}
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errors.New("none") }
