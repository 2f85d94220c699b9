package fsstore

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"acc/schema"
)

// Names under .acc/. Every name that is read back has a pair of functions
// here, xName and parseX, and both check ids against their grammar, so that
// no id becomes a path unchecked.
const (
	roomDir         = ".acc"
	workspaceName   = "workspace.json"
	gitignoreName   = ".gitignore"
	messagesDir     = "messages"
	inboxDir        = "inbox"
	receiptsDir     = "receipts"
	claimsDir       = "claims"
	expiredDir      = "expired"
	participantsDir = "participants"
	sessionsDir     = "sessions"
	closedDir       = "sessions/closed"
	intentsDir      = "intents"
	presenceDir     = "presence"
	eventsDir       = "events"
	keysDir         = "index/keys"
	decisionsLog    = "index/decisions.jsonl"
	runDir          = "run"
	tmpDir          = "run/tmp"
	journalName     = "run/journal"
	headName        = "run/head"
	lockName        = "run/lock"
	gateName        = "run/gate"
	liveName        = "run/live"
)

// eventsPerFile is how many events one file of the log holds.
const eventsPerFile = 1000

const jsonExt = ".json"

// perm is the mode of a file: what may hold or reveal a generation token is
// for its owner alone.
func perm(name string) fs.FileMode {
	if strings.HasPrefix(name, sessionsDir+"/") || strings.HasPrefix(name, runDir+"/") {
		return 0o600
	}
	return 0o644
}

// dirPerm is the mode of a directory, on the same terms.
func dirPerm(name string) fs.FileMode {
	if perm(name+"/") == 0o600 {
		return 0o700
	}
	return 0o755
}

// noID stands in a path for what is no id: it names nothing.
const noID = "-"

func checked(kind schema.IDKind, id string) string {
	if !schema.ValidID(kind, id) {
		return noID
	}
	return id
}

func checkedParticipant(id string) string {
	if !schema.ValidParticipantID(id) {
		return noID
	}
	return id
}

func participantName(id string) string {
	return path.Join(participantsDir, checkedParticipant(id)+jsonExt)
}

func parseParticipant(base string) (id string, ok bool) {
	id, ok = strings.CutSuffix(base, jsonExt)
	return id, ok && schema.ValidParticipantID(id)
}

func sessionName(id string) string {
	return path.Join(sessionsDir, checked(schema.IDSession, id)+jsonExt)
}

func closedName(id string) string {
	return path.Join(closedDir, checked(schema.IDSession, id)+jsonExt)
}

func intentName(sessionID string) string {
	return path.Join(intentsDir, checked(schema.IDSession, sessionID)+jsonExt)
}

func claimName(id string) string { return path.Join(claimsDir, checked(schema.IDClaim, id)+jsonExt) }

// What is kept of an expired claim says in its name whether the holder knows.
const (
	toldMark   = ".told"
	untoldMark = ".untold"
)

func expiredFolder(sessionID string) string {
	return path.Join(expiredDir, checked(schema.IDSession, sessionID))
}

func expiredName(sessionID, claimID string, told bool) string {
	mark := untoldMark
	if told {
		mark = toldMark
	}
	return path.Join(expiredFolder(sessionID), checked(schema.IDClaim, claimID)+mark+jsonExt)
}

func parseExpired(base string) (claimID string, told, ok bool) {
	stem, isJSON := strings.CutSuffix(base, jsonExt)
	id, told := strings.CutSuffix(stem, toldMark)
	if !told {
		if id, ok = strings.CutSuffix(stem, untoldMark); !ok {
			return "", false, false
		}
	}
	return id, told, isJSON && schema.ValidID(schema.IDClaim, id)
}

func receiptFolder(participant string) string {
	return path.Join(receiptsDir, checkedParticipant(participant))
}

func receiptName(participant, messageID string) string {
	return path.Join(receiptFolder(participant), checked(schema.IDMessage, messageID)+jsonExt)
}

func inboxFolder(participant string) string {
	return path.Join(inboxDir, checkedParticipant(participant))
}

// keyName hides the text of a key behind a hash: keys may hold any printable
// character, names may not.
func keyName(participant, key string) string {
	sum := sha256.Sum256([]byte(key))
	return path.Join(keysDir, checkedParticipant(participant), hex.EncodeToString(sum[:16])+jsonExt)
}

func presenceName(sessionID string, pid int) string {
	return path.Join(presenceDir, checked(schema.IDSession, sessionID)+"."+strconv.Itoa(pid)+jsonExt)
}

func parsePresence(base string) (sessionID string, pid int, ok bool) {
	parts := strings.Split(base, ".")
	if len(parts) != 3 || parts[2] != "json" {
		return "", 0, false
	}
	pid, err := strconv.Atoi(parts[1])
	ok = err == nil && pid >= 0 && strconv.Itoa(pid) == parts[1]
	return parts[0], pid, ok && schema.ValidID(schema.IDSession, parts[0])
}

// parseID finds the id in a name that is an id and .json.
func parseID(kind schema.IDKind, base string) (string, bool) {
	id, ok := strings.CutSuffix(base, jsonExt)
	return id, ok && schema.ValidID(kind, id)
}

// dayName is the folder of a message: the day, in UTC, that its id carries.
func dayName(messageID string) string { return schema.IDTime(messageID).Format("2006-01-02") }

func messageName(messageID string, kind schema.MessageKind) string {
	messageID = checked(schema.IDMessage, messageID)
	if !validKind(kind) {
		kind = noID
	}
	return path.Join(messagesDir, dayName(messageID), messageID+"."+string(kind)+jsonExt)
}

// MessageRef is what a message's file name says of it.
type MessageRef struct {
	MessageID string
	Kind      schema.MessageKind
}

func parseMessage(base string) (MessageRef, bool) {
	parts := strings.Split(base, ".")
	if len(parts) != 3 || parts[2] != "json" {
		return MessageRef{}, false
	}
	ref := MessageRef{MessageID: parts[0], Kind: schema.MessageKind(parts[1])}
	return ref, schema.ValidID(schema.IDMessage, ref.MessageID) && validKind(ref.Kind)
}

// InboxEntry is what the file name of an open receipt says of it. Listing an
// inbox therefore needs no file to be opened.
type InboxEntry struct {
	MessageID  string
	Kind       schema.MessageKind
	Obligation schema.Obligation
	State      schema.ReceiptState
}

func (e InboxEntry) name(participant string) string {
	base := strings.Join([]string{e.MessageID, string(e.Kind), string(e.Obligation), string(e.State)}, ".") + jsonExt
	if _, ok := parseInbox(base); !ok {
		base = noID + jsonExt
	}
	return path.Join(inboxFolder(participant), base)
}

func parseInbox(base string) (InboxEntry, bool) {
	stem, isJSON := strings.CutSuffix(base, jsonExt)
	id, rest, _ := strings.Cut(stem, ".")
	kind, rest, _ := strings.Cut(rest, ".")
	owed, state, _ := strings.Cut(rest, ".")
	e := InboxEntry{id, schema.MessageKind(kind), schema.Obligation(owed), schema.ReceiptState(state)}
	fits := schema.AllowedObligation(e.Kind, e.Obligation, true) || schema.AllowedObligation(e.Kind, e.Obligation, false)
	return e, isJSON && fits && schema.ValidID(schema.IDMessage, id) && e.State.Pending(e.Obligation)
}

func validKind(kind schema.MessageKind) bool {
	for _, known := range schema.MessageKinds() {
		if kind == known {
			return true
		}
	}
	return false
}

// eventsName is the file of the log that holds an event, named by the first
// cursor in it.
func eventsName(cursor int64) string {
	first := (cursor-1)/eventsPerFile*eventsPerFile + 1
	return path.Join(eventsDir, schema.FormatCursor(first)+".jsonl")
}

// parseEvents finds the first cursor of a file of the log.
func parseEvents(base string) (first int64, ok bool) {
	stem, isLog := strings.CutSuffix(base, ".jsonl")
	first, err := schema.ParseCursor("cursor", stem)
	return first, isLog && err == nil && first%eventsPerFile == 1
}
