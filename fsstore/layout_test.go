package fsstore

import (
	"path"
	"strings"
	"testing"

	"acc/schema"
)

const (
	aMessageID = "message_01k5x0f4e2m9v8r7c6b5a4z3y2"
	aSessionID = "session_01k5x0f4e2m9v8r7c6b5a4z3y2"
	aClaimID   = "claim_01k5x0f4e2m9v8r7c6b5a4z3y2"
)

// hostile are strings that no id is, and that no path may be made of.
func hostile() []string {
	return []string{
		"", ".", "..", "/", "../x", "../../etc/passwd", "/etc/passwd", "a/b", `a\b`, "a\x00b", "a\nb", "nul", "CON.x", ".hidden", "x.",
		strings.Repeat("a", 65), "message_", "message_../x", aMessageID + "/x", strings.ToUpper(aMessageID), "claim_81k5x0f4e2m9v8r7c6b5a4z3y2",
		"é", "-",
	}
}

// TestNamesStayInTheirFolder makes names of hostile ids: each lies directly
// in the folder where it belongs, under a name that no record has.
func TestNamesStayInTheirFolder(t *testing.T) {
	for _, id := range hostile() {
		who := checkedParticipant(id) // a few are fine as participants
		for dir, name := range map[string]string{
			participantsDir:             participantName(id),
			sessionsDir:                 sessionName(id),
			closedDir:                   closedName(id),
			intentsDir:                  intentName(id),
			claimsDir:                   claimName(id),
			expiredDir + "/-":           expiredName(id, aClaimID, true),
			receiptsDir + "/" + who:     receiptName(id, aMessageID),
			receiptsDir + "/bob":        receiptName("bob", id),
			inboxDir + "/" + who:        InboxEntry{aMessageID, schema.Note, schema.OweNothing, schema.Queued}.name(id),
			inboxDir + "/bob":           InboxEntry{id, schema.Note, schema.OweNothing, schema.Queued}.name("bob"),
			messagesDir + "/1970-01-01": messageName(id, schema.Note),
			keysDir + "/" + who:         keyName(id, "key"),
			keysDir + "/bob":            keyName("bob", id),
			presenceDir:                 presenceName(id, 1),
		} {
			if path.Dir(name) != dir {
				t.Errorf("%q makes %s, not in %s", id, name, dir)
			}
			if strings.ContainsAny(name, "\\\x00:") {
				t.Errorf("%q makes %q", id, name)
			}
		}
	}
	for _, kind := range []schema.MessageKind{"", "../x", "poem"} {
		if name := messageName(aMessageID, kind); strings.Count(name, "/") != 2 || strings.Contains(name, "..") {
			t.Error(name)
		}
	}
}

func TestNamesReadBack(t *testing.T) {
	for _, id := range []string{"bob", "A.b-c_d", "0", strings.Repeat("x", 64)} {
		if got, ok := parseParticipant(path.Base(participantName(id))); !ok || got != id {
			t.Errorf("participant %s: %s %v", id, got, ok)
		}
	}
	for _, kind := range schema.MessageKinds() {
		want := MessageRef{aMessageID, kind}
		if got, ok := parseMessage(path.Base(messageName(aMessageID, kind))); !ok || got != want {
			t.Errorf("%v: %v %v", want, got, ok)
		}
		for _, owed := range []schema.Obligation{schema.OweNothing, schema.OweAcknowledge, schema.OweReply} {
			for _, state := range schema.ReceiptStates() {
				e := InboxEntry{aMessageID, kind, owed, state}
				allowed := (schema.AllowedObligation(kind, owed, true) || schema.AllowedObligation(kind, owed, false)) && state.Pending(owed)
				if got, ok := parseInbox(path.Base(e.name("bob"))); ok != allowed || ok && got != e {
					t.Errorf("%v: %v %v", e, got, ok)
				}
			}
		}
	}
	for _, told := range []bool{true, false} {
		if id, got, ok := parseExpired(path.Base(expiredName(aSessionID, aClaimID, told))); !ok || id != aClaimID || got != told {
			t.Errorf("expired: %s %v %v", id, got, ok)
		}
	}
	if id, pid, ok := parsePresence(path.Base(presenceName(aSessionID, 4711))); !ok || id != aSessionID || pid != 4711 {
		t.Errorf("presence: %s %d %v", id, pid, ok)
	}
	for _, cursor := range []int64{1, 2, 999, 1000, 1001, 2000, 2001, 999_999_999} {
		first, ok := parseEvents(path.Base(eventsName(cursor)))
		if !ok || first > cursor || first+eventsPerFile <= cursor || eventsName(first) != eventsName(cursor) {
			t.Errorf("events of %d: %d %v", cursor, first, ok)
		}
	}
}

func TestHostileNamesAreNotRead(t *testing.T) {
	parsers := map[string]func(string) bool{
		"participant": func(s string) bool { _, ok := parseParticipant(s); return ok },
		"message":     func(s string) bool { _, ok := parseMessage(s); return ok },
		"inbox":       func(s string) bool { _, ok := parseInbox(s); return ok },
		"expired":     func(s string) bool { _, _, ok := parseExpired(s); return ok },
		"presence":    func(s string) bool { _, _, ok := parsePresence(s); return ok },
		"events":      func(s string) bool { _, ok := parseEvents(s); return ok },
		"claim":       parsesAs(schema.IDClaim),
	}
	names := []string{
		"", ".json", "..json", "x", aMessageID, aMessageID + ".json", aMessageID + ".note", aMessageID + ".poem.json",
		aMessageID + ".note.json.json", aMessageID + ".note.json~", "." + aMessageID + ".note.json.swp",
		strings.ToUpper(aMessageID) + ".note.json", aMessageID + ".note.none.seen.json", aMessageID + ".note.reply.queued.json",
		aMessageID + ".note.none.acknowledged.json", aClaimID + ".json.bak", aClaimID + ".told", aClaimID + ".untold.json.json",
		aClaimID + ".said.json", aSessionID + ".json", aSessionID + ".x.json", aSessionID + ".-1.json", aSessionID + ".01.json",
		aSessionID + ".1.2.json", "0000000000000002.jsonl", "1.jsonl", "0000000000000001.json", "zzz.jsonl", "0000000000000000.jsonl",
	}
	for _, id := range hostile() {
		names = append(names, id+".json", id)
	}
	for what, parse := range parsers {
		for _, name := range names {
			known := what == "participant" && schema.ValidParticipantID(strings.TrimSuffix(name, jsonExt)) && strings.HasSuffix(name, jsonExt)
			if parse(name) != known {
				t.Errorf("%q as %s: %v", name, what, !known)
			}
		}
	}
}

func TestSecretsAreForTheirOwner(t *testing.T) {
	for _, name := range []string{sessionName(aSessionID), closedName(aSessionID), journalName, headName, lockName, tmpDir + "/x"} {
		if perm(name) != 0o600 || dirPerm(path.Dir(name)) != 0o700 {
			t.Errorf("%s: %o in %o", name, perm(name), dirPerm(path.Dir(name)))
		}
	}
	if perm(messageName(aMessageID, schema.Note)) != 0o644 || dirPerm("messages/2026-11-30") != 0o755 {
		t.Error("messages are not for everybody")
	}
}
