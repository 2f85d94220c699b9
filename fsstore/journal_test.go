package fsstore

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"acc/fsstore/crashdisk"
)

func aRecord(epoch, seq uint64) *record {
	return &record{
		Epoch: epoch, Seq: seq, State: state{Cursor: 7, EventEnd: 900, Messages: 3, LastID: "01k5x0f4e2m9v8r7c6b5a4z3y2"},
		Ops: []op{
			{Kind: opAppend, Name: "events/0000000000000001.jsonl", Offset: 512, Size: 6, data: []byte("{...}\n")},
			{Kind: opPut, Name: "claims/c.json", Size: 12, data: []byte("{\"a\":\"b c\"}\n")},
			{Kind: opRemove, Name: "inbox/bob/m.json"},
		},
	}
}

func encoded(t *testing.T, r *record) []byte {
	t.Helper()
	data, err := r.encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// aJournal is an open journal in memory that holds some bytes from an offset
// on.
func aJournal(t *testing.T, off int64, data []byte) journal {
	t.Helper()
	d := crashdisk.New(newTestClock().now)
	if err := d.Mkdir(runDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := createJournal(d, recordsStart+16<<10, state{}); err != nil {
		t.Fatal(err)
	}
	f, err := d.Open(journalName, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(data, off); err != nil {
		t.Fatal(err)
	}
	return journal{f}
}

func TestRecordRoundTrip(t *testing.T) {
	want := aRecord(3, 41)
	data := encoded(t, want)
	got, end, err := aJournal(t, recordsStart, data).read(recordsStart, 3, 41)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(op{}), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if end != recordsStart+int64(len(data)) {
		t.Errorf("ends at %d", end)
	}
}

func TestRecordOfAnotherTimeIsNoRecord(t *testing.T) {
	j := aJournal(t, recordsStart, encoded(t, aRecord(3, 41)))
	for _, at := range [][2]uint64{{2, 41}, {4, 41}, {3, 40}, {3, 42}} {
		if _, _, err := j.read(recordsStart, at[0], at[1]); !errors.Is(err, errNoRecord) {
			t.Errorf("epoch %d, sequence %d: %v", at[0], at[1], err)
		}
		if j.peek(recordsStart, at[0], at[1]) {
			t.Errorf("epoch %d, sequence %d is peeked", at[0], at[1])
		}
	}
	if !j.peek(recordsStart, 3, 41) {
		t.Error("the record is not peeked")
	}
}

// TestTornRecord cuts a record at every length: what is behind is zeros, or
// what an older record left there.
func TestTornRecord(t *testing.T) {
	data := encoded(t, aRecord(3, 41))
	old := bytes.Repeat([]byte("acc 0000000000000003 0000000000000029 "), len(data)/38+1)[:len(data)]
	for n := range data {
		for _, behind := range [][]byte{make([]byte, len(data)), old} {
			torn := slices.Concat(data[:n], behind[n:])
			if bytes.Equal(torn, data) {
				continue
			}
			if _, _, err := aJournal(t, recordsStart, torn).read(recordsStart, 3, 41); !errors.Is(err, errNoRecord) {
				t.Fatalf("cut at %d: %v", n, err)
			}
		}
	}
}

func TestFlippedBitInRecord(t *testing.T) {
	data := encoded(t, aRecord(3, 41))
	for i := range data {
		for bit := range 8 {
			flipped := slices.Clone(data)
			flipped[i] ^= 1 << bit
			if _, _, err := aJournal(t, recordsStart, flipped).read(recordsStart, 3, 41); !errors.Is(err, errNoRecord) {
				t.Fatalf("bit %d of byte %d: %v", bit, i, err)
			}
		}
	}
}

func TestHostilePrefix(t *testing.T) {
	for _, prefix := range []string{
		"", "acc", "acc 0000000000000003 0000000000000029 -0000001 00000000\n", "acc 0000000000000003 0000000000000029 ffffffff 00000000\n",
		"acc +000000000000003 0000000000000029 00000001 00000000\n", "acc 00000000000000_3 0000000000000029 00000001 00000000\n",
		"acc 0000000000000003  000000000000029 00000001 00000000\n", "acc 0000000000000003 0000000000000029 00000001 00000000 ",
	} {
		if _, _, err := aJournal(t, recordsStart, []byte(prefix)).read(recordsStart, 3, 41); !errors.Is(err, errNoRecord) {
			t.Errorf("%q: %v", prefix, err)
		}
	}
}

// TestDamagedJournalIsNotCutShort: a record that cannot be read with whole
// ones behind it is damage. Nothing is written over what was decided.
func TestDamagedJournalIsNotCutShort(t *testing.T) {
	d := crashdisk.New(newTestClock().now)
	p := newPlay(t, d)
	p.set.journalSize = journalSize
	if err := p.open(); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		join(t, p.s, fmt.Sprintf("p%d", i))
	}
	h, _ := readHead(p.s.headFile)
	if h.Seq != 5 {
		t.Fatalf("sequence %d", h.Seq)
	}
	_, second, err := p.s.journal.read(recordsStart, h.Epoch, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.s.journal.f.WriteAt([]byte{'?'}, second+100); err != nil {
		t.Fatal(err)
	}
	p.die()
	before := d.Tree()
	if err := p.open(); err == nil || !isStoreFailed(err) {
		t.Fatalf("the room opens: %v", err)
	}
	if diff := cmp.Diff(before, d.Tree()); diff != "" {
		t.Errorf("something was changed: %s", diff)
	}
}

func TestHeaderSlotsTakeTurns(t *testing.T) {
	j := aJournal(t, 0, nil)
	for epoch := range uint64(5) {
		want := &header{Epoch: epoch + 2, Seq: 10 * epoch, State: state{Cursor: int64(epoch)}}
		if err := j.writeHeader(want); err != nil {
			t.Fatal(err)
		}
		got, err := j.readHeader()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("%v %s", err, diff)
		}
	}
	// A torn header leaves the one before it.
	slot, _ := (&header{Epoch: 7}).encode()
	for n := range bytes.IndexByte(slot, 0) - 1 {
		torn := slices.Concat(slot[:n], make([]byte, headerSlot-n))
		if _, err := j.f.WriteAt(torn, 7%2*headerSlot); err != nil {
			t.Fatal(err)
		}
		if got, err := j.readHeader(); err != nil || got.Epoch != 6 {
			t.Fatalf("torn at %d: epoch %d, %v", n, got.Epoch, err)
		}
	}
	if _, err := j.f.WriteAt(make([]byte, recordsStart), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := j.readHeader(); err == nil {
		t.Error("a header is read from zeros")
	}
}

func TestHead(t *testing.T) {
	d := crashdisk.New(newTestClock().now)
	if err := d.Mkdir(runDir, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := d.Open(headName, true, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := readHead(f); ok {
		t.Error("an empty file is a head")
	}
	const most = 1<<63 - 1
	want := head{Epoch: 1<<64 - 1, Seq: 1<<64 - 1, Tail: maxJournal, State: state{maxCursor, 2 * maxRecordBytes, most, most, "01k5x0f4e2m9v8r7c6b5a4z3y2"}}
	if err := writeHead(f, want); err != nil {
		t.Fatal(err)
	}
	if got, ok := readHead(f); !ok || got != want {
		t.Errorf("%+v", got)
	}
	if size, _ := f.Size(); size != headSize {
		t.Errorf("%d bytes", size)
	}
	if err := invalidateHead(f); err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{"", "\n", "{}\n", "{\"epoch\":1,\"tail\":0}\n", string(make([]byte, headSize)), "[]\n", "x",
		`{"tail":4096,"state":{"cursor":-1}}` + "\n", `{"tail":4096,"state":{"cursor":10000000000000000}}` + "\n", `{"tail":4096,"state":{"graphEnd":-1}}` + "\n",
		`{"tail":4096,"state":{"eventEnd":1099511627776}}` + "\n", `{"tail":1099511627776}` + "\n", `{"tail":4096,"state":{"lastId":"../x"}}` + "\n"} {
		line := []byte(strings.TrimSuffix(data, "\n"))
		for _, head := range []string{data, fmt.Sprintf("%s %s\n", line, headSum(line))} {
			if _, ok := parseHead([]byte(head)); ok {
				t.Errorf("%q is a head", head)
			}
		}
	}
	if _, ok := readHead(f); ok {
		t.Error("an invalid head is read")
	}
}

func TestRecordLargerThanTheJournal(t *testing.T) {
	d := crashdisk.New(newTestClock().now)
	p := newPlay(t, d)
	if err := p.open(); err != nil {
		t.Fatal(err)
	}
	me := join(t, p.s, "alice")
	fill(t, p.s, me, 200) // one transaction of 200 KB in a journal of 12
	send(t, p.s, me, note("bob"))
	p.die()
	p.on(d.AfterKill())
	if err := p.open(); err != nil {
		t.Fatal(err)
	}
	view(t, p.s, func(v *View) error {
		if v.MessageCount() != 201 {
			t.Errorf("%d messages", v.MessageCount())
		}
		return nil
	})
	p.die()
}
