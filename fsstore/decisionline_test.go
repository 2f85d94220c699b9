package fsstore

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"acc/schema"

	"github.com/google/go-cmp/cmp"
)

// TestPlainLinkIsDecode: every line that this program writes is read by its
// form, and no line is read by its form that the decoder reads otherwise.
func TestPlainLinkIsDecode(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	id := func() string { return fmt.Sprintf("message_01m8pqxeys94fgp5nrxz%06d", random.IntN(20)) }
	for range 2000 {
		link := schema.DecisionLink{SchemaVersion: schema.Version, MessageID: id()}
		for i := range random.IntN(schema.MaxDecisionRefs + 1) {
			link.Action = []schema.ChangeAction{schema.Replace, schema.Withdraw}[random.IntN(2)]
			link.MessageIDs = append(link.MessageIDs, fmt.Sprintf("message_01m8pqxeys94fgp5nrxz%06d", 100+i))
		}
		line, err := schema.EncodeLine(&link)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := plainLink(string(line)); !ok || !cmp.Equal(got, link) {
			t.Fatalf("%s is read as %+v, %v", line, got, ok)
		}
		for range 5 {
			sameAsDecoded(t, mutated(random, line))
		}
	}
	for _, line := range []string{
		``, "\n", `{"schemaVersion":1,"messageId":"`, `{"schemaVersion":1,"messageId":"` + id() + `"}`,
		`{"schemaVersion":1,"messageId":"` + id() + `","action":"replace","messageIds":[]}` + "\n",
		`{"schemaVersion":1,"messageId":"` + id() + `"replace","messageIds":["` + id() + `"]}` + "\n",
		`{"schemaVersion":1,"messageId":"` + id() + `","action":"","messageIds":["` + id() + `"]}` + "\n",
		`{"schemaVersion":1,"messageId":"` + id() + `","action":"keep","messageIds":["` + id() + `"]}` + "\n",
		`{"schemaVersion":1,"messageId":"` + id() + `","action":"replace","messageIds":["` + id() + `","` + id() + `"],"a":1}` + "\n",
		`{"schemaVersion":1,"messageId":"message_01m8pqxeys94fgp5nrxz000001","action":"replace",` +
			`"messageIds":["message_01m8pqxeys94fgp5nrxz000002","message_01m8pqxeys94fgp5nrxz000002"]}` + "\n",
	} {
		sameAsDecoded(t, []byte(line))
	}
}

// mutated changes, removes or doubles a byte.
func mutated(random *rand.Rand, line []byte) []byte {
	at := random.IntN(len(line))
	out := append([]byte{}, line[:at]...)
	switch random.IntN(3) {
	case 0:
		out = append(out, line[random.IntN(len(line))])
		return append(out, line[at+1:]...)
	case 1:
		return append(out, line[at+1:]...)
	}
	return append(append(out, line[at]), line[at:]...)
}

func sameAsDecoded(t *testing.T, line []byte) {
	t.Helper()
	got, ok := plainLink(string(line))
	if !ok {
		return
	}
	var want schema.DecisionLink
	if err := schema.Decode(line, &want); err != nil || !cmp.Equal(got, want) {
		t.Errorf("%q is read by its form as %+v, and decoded as %+v, %v", line, got, want, err)
	}
}

// BenchmarkDecisions reads an index of 5,000 decisions, as the first answer of
// a process does.
func BenchmarkDecisions(b *testing.B) {
	s := openTestRoom(b, b.TempDir(), &testLog{})
	me := join(b, s, "alice")
	var last *schema.Message
	for range 50 {
		update(b, s, func(tx *Tx) error {
			for range 100 {
				l := letter{kind: schema.Decision, obligation: schema.OweNothing}
				if last != nil {
					l.change = &schema.DecisionChange{Action: schema.Replace, MessageIDs: []string{last.MessageID}}
				}
				var err error
				if last, err = sendTx(tx, me, l); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for b.Loop() {
		view(b, s, func(v *View) error {
			var g decisionGraph
			return g.refresh(v)
		})
	}
}
