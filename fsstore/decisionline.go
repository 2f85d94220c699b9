package fsstore

import (
	"slices"
	"strings"

	"acc/schema"
)

// A process may have to read many lines of the decisions index for its first
// answer that speaks of a decision, and a command is a process. So lines as
// this program writes them are read by their form, several times as fast; whatever
// looks different is left to the decoder of all records.
const (
	linkStart   = `{"schemaVersion":1,"messageId":"`
	linkAction  = `,"action":"`
	linkChanges = `","messageIds":["`
	linkEnd     = "}\n"
)

// plainLink reads a line of the index, with its newline, in the form in which
// it was written. It is not ok for anything else, valid or not.
func plainLink(line string) (link schema.DecisionLink, ok bool) {
	rest, ok := strings.CutPrefix(line, linkStart)
	if !ok {
		return link, false
	}
	link.SchemaVersion = schema.Version
	link.MessageID, rest, ok = strings.Cut(rest, `"`)
	if !ok || !schema.ValidID(schema.IDMessage, link.MessageID) {
		return link, false
	}
	if rest == linkEnd {
		return link, true
	}
	if rest, ok = strings.CutPrefix(rest, linkAction); !ok {
		return link, false
	}
	action, changes, ok := strings.Cut(rest, linkChanges)
	link.Action = schema.ChangeAction(action)
	if !ok || link.Action != schema.Replace && link.Action != schema.Withdraw {
		return link, false
	}
	list, ok := strings.CutSuffix(changes, `"]`+linkEnd)
	if !ok {
		return link, false
	}
	link.MessageIDs = strings.Split(list, `","`)
	return link, plainIDs(link.MessageIDs)
}

// plainIDs holds a list of ids to the same limits as the decoder.
func plainIDs(ids []string) bool {
	for i, id := range ids {
		if !schema.ValidID(schema.IDMessage, id) || slices.Contains(ids[:i], id) {
			return false
		}
	}
	return len(ids) <= schema.MaxDecisionRefs
}
