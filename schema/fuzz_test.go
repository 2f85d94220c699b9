package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	validator "github.com/google/jsonschema-go/jsonschema"
)

// recordKinds are all kinds of record, each with samples: those with a schema
// file, and those that lie below run/.
func recordKinds() []recordKind {
	var kinds []recordKind
	for _, p := range published {
		kinds = append(kinds, recordKind{p.name, p.samples})
	}
	pair := &SavedPair{SchemaVersion: Version, ParticipantID: "bob", SessionID: aSession, Generation: strings.Repeat("0", 32)}
	for _, sample := range []Record{pair, aGoodBinding(), aGoodPolicy(), aGoodShown()} {
		kinds = append(kinds, recordKind{samples: []Record{sample}})
	}
	return kinds
}

type recordKind struct {
	schema  string // the name of its schema file, "" for none
	samples []Record
}

// blank is an empty record of the kind.
func (k recordKind) blank() Record {
	return reflect.New(reflect.TypeOf(k.samples[0]).Elem()).Interface().(Record)
}

// FuzzRecord decodes anything as every kind of record. What is refused is
// damaged and nothing else. What is accepted survives writing and reading,
// byte for byte from then on, in a file and as a line; it fits the schema
// that is published; and no id in it leads anywhere.
func FuzzRecord(f *testing.F) {
	kinds := recordKinds()
	schemas := make([]*validator.Resolved, len(kinds))
	for i, kind := range kinds {
		for _, sample := range kind.samples {
			data, err := Encode(sample)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(byte(i), data)
			f.Add(byte(i), slices.Concat([]byte("\xef\xbb\xbf"), bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))))
			f.Add(byte(i), bytes.ReplaceAll(data, []byte("_"), []byte("_../")))
		}
		if kind.schema != "" {
			schemas[i] = load(f, kind.schema)
		}
	}
	f.Add(byte(0), bytes.Repeat([]byte("["), 20000))
	f.Add(byte(6), []byte(`{"schemaVersion":1,"schemaVersion":1}`))
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		i := int(which) % len(kinds)
		record := kinds[i].blank()
		if err := Decode(data, record); err != nil {
			if !HasReason(err, ReasonRecordDamaged) {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		for _, encode := range []func(Record) ([]byte, error){Encode, EncodeLine} {
			checkStable(t, kinds[i], record, encode)
		}
		checkPublished(t, schemas[i], record)
	})
}

func checkStable(t *testing.T, kind recordKind, record Record, encode func(Record) ([]byte, error)) {
	t.Helper()
	first, err := encode(record)
	if err != nil {
		t.Fatalf("accepted and not written: %v", err)
	}
	again := kind.blank()
	if err := Decode(first, again); err != nil {
		t.Fatalf("written and not read: %v\n%s", err, first)
	}
	if diff := cmp.Diff(record, again); diff != "" {
		t.Fatalf("it reads differently (-first +second):\n%s", diff)
	}
	if second, err := encode(again); err != nil || !bytes.Equal(first, second) {
		t.Fatalf("it is written differently: %v\n%s\n%s", err, first, second)
	}
}

// checkPublished holds a record to its schema file, and its ids to a rule of
// their own: the schemas leave their grammar out.
func checkPublished(t *testing.T, published *validator.Resolved, record Record) {
	t.Helper()
	text, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	if published != nil {
		if err := published.Validate(value); err != nil {
			t.Fatalf("the published schema refuses it: %v\n%s", err, text)
		}
	}
	for name, part := range value {
		id, isText := part.(string)
		if isText && strings.HasSuffix(name, "Id") && name != "clientMessageId" && strings.ContainsAny(id, "/\\: \x00") {
			t.Fatalf("%s is %q", name, id)
		}
	}
}

// FuzzResource: what parses is canonical, and overlap is a symmetric relation
// whose ground is one of the two.
func FuzzResource(f *testing.F) {
	for _, seed := range [][2]string{
		{"file:src/**", "file:src/a.go"}, {"file:a/../b//./c", "FILE:b/c"}, {"file:**", "issue:42"}, {"db:a/**", "db:a"},
		{"file:/abs/x", "file:../x"}, {"file:re\u0301sume\u0301", "file:r\u00e9sum\u00e9"}, {"C:\\x", "file:a*"}, {"file:\xff", "x:\u2028"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		first, okA := parsed(t, a)
		second, okB := parsed(t, b)
		if !okA || !okB {
			return
		}
		if ground, ok := Overlap(first, first); !ok || ground != first {
			t.Errorf("%q does not overlap itself", first)
		}
		here, ok := Overlap(first, second)
		there, back := Overlap(second, first)
		if ok != back || here != there {
			t.Errorf("%q and %q overlap in %q, %v one way and in %q, %v the other", first, second, here, ok, there, back)
		}
		if ok && here != first && here != second {
			t.Errorf("%q and %q overlap in %q", first, second, here)
		}
	})
}

// parsed is a resource in canonical form, which parsing leaves as it is.
func parsed(t *testing.T, uri string) (Resource, bool) {
	t.Helper()
	scheme, rest, err := ParseResource(uri)
	if err != nil {
		if !HasReason(err, ReasonResourceInvalid) && !HasReason(err, ReasonResourceOutside) {
			t.Fatalf("refused with %v", err)
		}
		return "", false
	}
	r := MakeResource(scheme, rest)
	again, more, err := ParseResource(string(r))
	if err != nil || MakeResource(again, more) != r {
		t.Fatalf("%q becomes %q, and that %q, %v", uri, r, MakeResource(again, more), err)
	}
	return r, true
}
