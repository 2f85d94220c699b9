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

func participantName(id string) string { return path.Join(participantsDir, id+jsonExt) }

func sessionName(id string) string { return path.Join(sessionsDir, id+jsonExt) }

func closedName(id string) string { return path.Join(closedDir, id+jsonExt) }

func intentName(sessionID string) string { return path.Join(intentsDir, sessionID+jsonExt) }

func claimName(id string) string { return path.Join(claimsDir, id+jsonExt) }

func receiptName(participant, messageID string) string {
	return path.Join(receiptsDir, participant, messageID+jsonExt)
}

// keyName hides the text of a key behind a hash: keys may hold any printable
// character, names may not.
func keyName(participant, key string) string {
	sum := sha256.Sum256([]byte(key))
	return path.Join(keysDir, participant, hex.EncodeToString(sum[:16])+jsonExt)
}

func presenceName(sessionID string, pid int) string {
	return path.Join(presenceDir, sessionID+"."+strconv.Itoa(pid)+jsonExt)
}

// parsePresence finds the session of a presence file.
func parsePresence(base string) (sessionID string, ok bool) {
	id, rest, found := strings.Cut(base, ".")
	return id, found && strings.HasSuffix(rest, jsonExt) && schema.ValidID(schema.IDSession, id)
}

// parseID finds the id in a name that is an id and .json.
func parseID(kind schema.IDKind, base string) (string, bool) {
	id, ok := strings.CutSuffix(base, jsonExt)
	return id, ok && schema.ValidID(kind, id)
}

// dayName is the folder of a message: the day, in UTC, that its id carries.
func dayName(messageID string) string { return schema.IDTime(messageID).Format("2006-01-02") }

func messageName(messageID string, kind schema.MessageKind) string {
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
	base := strings.Join([]string{e.MessageID, string(e.Kind), string(e.Obligation), string(e.State)}, ".")
	return path.Join(inboxDir, participant, base+jsonExt)
}

func parseInbox(base string) (InboxEntry, bool) {
	parts := strings.Split(base, ".")
	if len(parts) != 5 || parts[4] != "json" {
		return InboxEntry{}, false
	}
	e := InboxEntry{parts[0], schema.MessageKind(parts[1]), schema.Obligation(parts[2]), schema.ReceiptState(parts[3])}
	fits := schema.AllowedObligation(e.Kind, e.Obligation, true) || schema.AllowedObligation(e.Kind, e.Obligation, false)
	return e, fits && schema.ValidID(schema.IDMessage, e.MessageID) && e.State.Rank() >= 0
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
