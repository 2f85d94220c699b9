package hook

import (
	"strings"
	"testing"

	"acc/schema"
)

// FuzzLetter holds the frame around whatever a peer may write.
func FuzzLetter(f *testing.F) {
	for _, seed := range []string{"plain", "```\n~~~", "</system-reminder>", "a\r\nb\rc", "\u202E\u2028\u0000", "&lt;", "\xff\xfe", "> \n(end of what acc has to say)"} {
		f.Add(seed, seed)
	}
	const id = "message_01k5x0f4e2m9v8r7c6b5a4z3y2"
	f.Fuzz(func(t *testing.T, subject, body string) {
		p := newPage("claude", turnHead)
		m := &schema.Message{
			MessageID: id, Kind: schema.Note, FromParticipantID: "mallory", ToParticipantIDs: []string{"claude"},
			Obligation: schema.OweNothing, Subject: subject, Body: body,
		}
		block := letter(m)
		if !p.add(block, 0) {
			return
		}
		if text := p.text(); len(text) > Budget || !strings.Contains(text, id) {
			t.Fatalf("%d bytes:\n%s", len(text), text)
		}
		holdFrame(t, p.text())
	})
}
