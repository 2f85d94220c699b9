package schema

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"acc/golden"

	validator "github.com/google/jsonschema-go/jsonschema"
	"github.com/invopop/jsonschema"
)

// published are the records that have a schema file.
var published = []struct {
	name    string
	samples []Record
}{
	{"claim", []Record{aGoodClaim()}},
	{"decision-link", []Record{aGoodLink(), &DecisionLink{SchemaVersion: 1, MessageID: aMessage}}},
	{"event", []Record{aGoodEvent()}},
	{"forced-release", []Record{aGoodForcedRelease()}},
	{"intent", []Record{aGoodIntent()}},
	{"key", []Record{aGoodKey()}},
	{"message", []Record{aGoodNote(), aGoodAnswer(), aGoodHandoff(), aGoodDecision()}},
	{"participant", []Record{aGoodParticipant()}},
	{"presence", []Record{aGoodPresence()}},
	{"receipt", []Record{aGoodReceipt(), aTriedReceipt()}},
	{"session", []Record{aGoodSession()}},
	{"trim", []Record{aGoodTrim()}},
	{"workspace", []Record{aGoodWorkspace()}},
}

// TestSchemas keeps the schema files in step with the types.
// go test ./schema -run Schemas -update writes them.
func TestSchemas(t *testing.T) {
	var files []string
	for _, p := range published {
		file := p.name + ".schema.json"
		files = append(files, file)
		golden.Compare(t, "../schema/"+file, generate(t, p.name, p.samples[0]))
	}
	found, err := filepath.Glob("*.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		if !slices.Contains(files, file) {
			t.Errorf("%s belongs to no record; delete it", file)
		}
	}
}

func TestSchemasAreStable(t *testing.T) {
	for _, p := range published {
		first, second := generate(t, p.name, p.samples[0]), generate(t, p.name, p.samples[0])
		if string(first) != string(second) {
			t.Errorf("%s: two generations differ", p.name)
		}
	}
}

func TestRecordsConformToSchemas(t *testing.T) {
	for _, p := range published {
		resolved := load(t, p.name)
		for _, sample := range p.samples {
			data, err := Encode(sample)
			if err != nil {
				t.Fatalf("%s: %v", p.name, err)
			}
			if err := resolved.Validate(instance(t, data)); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
		}
	}
}

// TestSchemasRefuse spot-checks that the files say more than types.
func TestSchemasRefuse(t *testing.T) {
	tests := []struct {
		name, label string
		record      Record
		old, new    string // text that is replaced in the encoded record
	}{
		{"message", "unknown member", aGoodNote(), `"subject"`, `"colour": "red", "subject"`},
		{"message", "path for an id", aGoodAnswer(), `"inReplyTo": "` + aMessage, `"inReplyTo": "../../etc/passwd`},
		{"message", "null for a list", aGoodNote(), `"artifacts": []`, `"artifacts": null`},
		{"message", "duty of another kind", aGoodNote(), `"obligation": "none"`, `"obligation": "reply"`},
		{"message", "control character", aGoodNote(), `"subject": "plan"`, `"subject": "pl\u0007an"`},
		{"message", "time without milliseconds", aGoodNote(), `12:00:00.000Z`, `12:00:00Z`},
		{"claim", "unknown mode", aGoodClaim(), `"exclusive"`, `"total"`},
		{"claim", "no scheme", aGoodClaim(), `"file:src/app.go"`, `"src/app.go"`},
		{"participant", "trailing dot", aGoodParticipant(), `"bob"`, `"bob."`},
		{"event", "short cursor", aGoodEvent(), `"0000000000000007"`, `"7"`},
		{"receipt", "unknown state", aGoodReceipt(), `"state": "offered"`, `"state": "seen"`},
	}
	for _, test := range tests {
		data, err := Encode(test.record)
		if err != nil {
			t.Fatal(err)
		}
		damaged := strings.Replace(string(data), test.old, test.new, 1)
		if damaged == string(data) {
			t.Fatalf("%s, %s: nothing was replaced", test.name, test.label)
		}
		if load(t, test.name).Validate(instance(t, []byte(damaged))) == nil {
			t.Errorf("%s, %s: the schema accepts it", test.name, test.label)
		}
		if Decode([]byte(damaged), reflect.New(reflect.TypeOf(test.record).Elem()).Interface().(Record)) == nil {
			t.Errorf("%s, %s: Decode accepts it", test.name, test.label)
		}
	}
}

// TestSchemaKnowsObligations holds the message schema to the table of kinds.
func TestSchemaKnowsObligations(t *testing.T) {
	resolved := load(t, "message")
	for _, kind := range MessageKinds() {
		for _, o := range []Obligation{OweNothing, OweAcknowledge, OweReply} {
			for _, to := range [][]string{{}, {"bob"}} {
				m := aGoodNote()
				m.Kind, m.Obligation, m.ToParticipantIDs = kind, o, to
				data, err := Format(m)
				if err != nil {
					t.Fatal(err)
				}
				accepted := resolved.Validate(instance(t, data)) == nil
				if want := AllowedObligation(kind, o, len(to) > 0); accepted != want {
					t.Errorf("%s, %s, to %v: accepted is %v", kind, o, to, accepted)
				}
			}
		}
	}
}

func load(t testing.TB, name string) *validator.Resolved {
	t.Helper()
	data, err := os.ReadFile(name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var s validator.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func instance(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// generate reflects a record and adds what Go types do not say.
func generate(t *testing.T, name string, record Record) []byte {
	t.Helper()
	reflector := &jsonschema.Reflector{DoNotReference: true, ExpandedStruct: true, Anonymous: true, Mapper: mapType}
	if err := reflector.AddGoComments("acc/schema", "."); err != nil {
		t.Fatal(err)
	}
	s := reflector.Reflect(record)
	s.Title = name
	refine(reflect.TypeOf(record).Elem(), s)
	if name == "message" {
		s.AllOf = obligationRules()
	}
	data, err := Format(s)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
