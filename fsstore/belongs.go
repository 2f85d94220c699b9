package fsstore

import (
	"path"
	"strings"

	"acc/schema"
)

// belongs reports whether a record stands under the name that it gives
// itself. A copy under another name, made by hand or by a sync tool, is
// damage: it would be one record twice, or somebody else's.
func belongs(name string, r schema.Record) bool {
	switch r := r.(type) {
	case *schema.Participant:
		return strings.EqualFold(name, participantName(r.ParticipantID)) // some file systems fold case
	case *schema.Session:
		return name == sessionName(r.SessionID) || name == closedName(r.SessionID)
	case *schema.Intent:
		return name == intentName(r.SessionID)
	case *schema.Claim:
		return name == claimName(r.ClaimID) || name == expiredName(r.OwnerSessionID, r.ClaimID, true) ||
			name == expiredName(r.OwnerSessionID, r.ClaimID, false)
	case *schema.ForcedRelease:
		return name == forcedName(r.ClaimID)
	case *schema.Message:
		return name == messageName(r.MessageID, r.Kind)
	case *schema.Receipt:
		return receiptBelongs(name, r)
	case *schema.Key:
		return path.Base(name) == path.Base(keyName("", r.ClientMessageID))
	case *schema.Presence:
		return name == presenceName(r.SessionID, r.PID)
	case *schema.Trim:
		return name == trimName
	}
	return false
}

// receiptBelongs holds a receipt to the state in its name too: the name is
// what an inbox is listed by.
func receiptBelongs(name string, r *schema.Receipt) bool {
	if name == receiptName(r.RecipientParticipantID, r.MessageID) {
		return r.State.Rank() >= schema.Retrieved.Rank()
	}
	e, ok := parseInbox(path.Base(name))
	return ok && e.MessageID == r.MessageID && e.State == r.State && name == e.name(r.RecipientParticipantID)
}
