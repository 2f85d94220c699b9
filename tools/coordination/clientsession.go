package coordination

import (
	"slices"
	"strings"

	"acc/schema"
	"acc/tools"
)

// clientSession is what the caller's client calls its session, as a record may
// hold it.
func clientSession(caller tools.Caller) string { return clientWord(caller.ClientSession) }

func clientWord(s string) string {
	return schema.CutRunes(strings.TrimSpace(schema.Visible(s, schema.MaxClientSession)), schema.MaxClientSession)
}

// fit says how well a session of the caller's participant suits the caller; 0
// is not at all. An open session is resumed, a closed one is what a new one
// comes after.
//
// A client that names its session gets the one with that name, else one that
// nobody has named: an MCP server that could not know the name made it. Any
// other client gets the newest there is.
func fit(s schema.Session, caller tools.Caller) int {
	id := clientSession(caller)
	mine := id != "" && slices.Contains(s.ClientSessions, id)
	open := s.State == schema.SessionOpen
	switch {
	case mine && open:
		return 4
	case open && (id == "" || len(s.ClientSessions) == 0):
		return 3
	case mine:
		return 2
	case !open:
		return 1
	}
	return 0
}

// withClient fills in what the client says of itself.
func withClient(s schema.Session, caller tools.Caller) schema.Session {
	if v := clientWord(caller.Version); v != "" {
		s.ClientVersion = v
	}
	id := clientSession(caller)
	if id == "" || slices.Contains(s.ClientSessions, id) {
		return s
	}
	s.ClientSessions = append(slices.Clone(s.ClientSessions), id)
	if more := len(s.ClientSessions) - schema.MaxClientSessions; more > 0 {
		s.ClientSessions = s.ClientSessions[more:]
	}
	return s
}

// unchanged reports whether two states of one session say the same.
func unchanged(a, b schema.Session) bool {
	return a.Harness == b.Harness && a.CheckoutRoot == b.CheckoutRoot && a.Branch == b.Branch && a.State == b.State &&
		a.Enforcement == b.Enforcement && a.Lifecycle == b.Lifecycle && a.ClientVersion == b.ClientVersion &&
		slices.Equal(a.ClientSessions, b.ClientSessions)
}

// foreign reports whether a session was named by another session of the
// caller's client than the one that calls.
func foreign(s schema.Session, caller tools.Caller) bool {
	id := clientSession(caller)
	return id != "" && len(s.ClientSessions) > 0 && !slices.Contains(s.ClientSessions, id)
}

// keepNames lets a session that follows another one of the same client session
// go by all its names.
func keepNames(s, last schema.Session, caller tools.Caller) schema.Session {
	if slices.Contains(last.ClientSessions, clientSession(caller)) {
		s.ClientSessions = last.ClientSessions
	}
	return s
}
