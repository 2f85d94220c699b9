package fsstore

import (
	"path"
	"strings"
	"time"

	"acc/schema"
)

// knownDir tells the directories of a room from others.
func knownDir(name string) bool {
	parent, base := path.Split(name)
	switch strings.TrimSuffix(parent, "/") {
	case "":
		_, fixed := topDirs[base]
		return fixed
	case messagesDir:
		_, err := time.Parse("2006-01-02", base)
		return err == nil
	case inboxDir, receiptsDir, keysDir:
		return schema.ValidParticipantID(base)
	case expiredDir:
		return schema.ValidID(schema.IDSession, base)
	}
	return name == closedDir || name == keysDir || parent == runDir+"/" && runDirs[base]
}

// topDirs are the directories right below .acc/.
var topDirs = map[string]bool{
	messagesDir: true, inboxDir: true, receiptsDir: true, claimsDir: true, expiredDir: true, participantsDir: true, sessionsDir: true,
	intentsDir: true, presenceDir: true, eventsDir: true, releasesDir: true, path.Dir(keysDir): true, runDir: true,
	handoffsDir: true, decisionsDir: true,
}

// runDirs are the directories in run/.
var runDirs = map[string]bool{
	path.Base(tmpDir): true, path.Base(savedDir): true, path.Base(outboxDir): true, path.Base(bindingsDir): true,
	path.Base(policiesDir): true, path.Base(shownDir): true, path.Base(offersDir): true,
	path.Base(adaptersDir): true,
}

// plainFiles are the files that hold no record of their own.
var plainFiles = map[string]bool{
	gitignoreName: true, gitattributes: true, decisionsLog: true, journalName: true, headName: true, lockName: true, gateName: true,
	liveName: true, attributesMark: true, stampsName: true,
}

// recordAt gives an empty record of the kind that belongs under a name; nil
// for a file that holds none; known is false where nothing of ours belongs.
func recordAt(name string) (record schema.Record, known bool) {
	dir, base := path.Split(name)
	dir = strings.TrimSuffix(dir, "/")
	is := func(ok bool, r schema.Record) (schema.Record, bool) { return r, ok }
	named := func(kind schema.IDKind) bool { _, ok := parseID(kind, base); return ok }
	switch dir {
	case participantsDir, savedDir:
		_, ok := parseParticipant(base)
		if dir == savedDir {
			return is(ok, &schema.SavedPair{})
		}
		return is(ok, &schema.Participant{})
	case sessionsDir, closedDir:
		return is(named(schema.IDSession), &schema.Session{})
	case intentsDir:
		return is(named(schema.IDSession), &schema.Intent{})
	case claimsDir:
		return is(named(schema.IDClaim), &schema.Claim{})
	case releasesDir:
		return is(named(schema.IDClaim), &schema.ForcedRelease{})
	case presenceDir:
		_, _, ok := parsePresence(base)
		return is(ok, &schema.Presence{})
	case outboxDir:
		return is(named(schema.IDMessage), &Publication{})
	case bindingsDir:
		_, _, ok := parseBinding(base)
		return is(ok, &schema.Binding{})
	case policiesDir:
		_, ok := parseParticipant(base)
		return is(ok, &schema.Policy{})
	case shownDir:
		_, ok := parseParticipant(base)
		return is(ok, &schema.Shown{})
	case offersDir:
		return nil, parseOffer(base)
	case adaptersDir:
		_, ok := parseServing(base)
		return nil, ok
	case eventsDir:
		_, ok := parseEvents(base)
		if name == trimName {
			return &schema.Trim{}, true
		}
		return nil, ok
	}
	if name == workspaceName {
		return &schema.Workspace{}, true
	}
	if r, ok := recordBelow(path.Dir(dir), base); ok {
		return r, true
	}
	return nil, plainFiles[name] || dir == tmpDir
}

// recordBelow is recordAt in the directories that are grouped once more.
func recordBelow(group, base string) (schema.Record, bool) {
	switch group {
	case messagesDir:
		_, ok := parseMessage(base)
		return &schema.Message{}, ok
	case inboxDir:
		_, ok := parseInbox(base)
		return &schema.Receipt{}, ok
	case receiptsDir:
		_, ok := parseID(schema.IDMessage, base)
		return &schema.Receipt{}, ok
	case expiredDir:
		_, _, ok := parseExpired(base)
		return &schema.Claim{}, ok
	case keysDir:
		return &schema.Key{}, len(base) == len(path.Base(keyName("", ""))) && strings.HasSuffix(base, jsonExt)
	}
	return nil, false
}
