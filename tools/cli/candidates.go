package cli

import (
	"slices"

	"acc/fsstore"
	"acc/schema"
)

// maxCandidates is how many messages a completion looks at.
const maxCandidates = 50

// files leaves completion to the shell.
var files candidates

func participants(v *fsstore.View, _ *schema.Session) ([]string, error) {
	all, err := v.Participants()
	var words []string
	for _, p := range all {
		words = append(words, p.ParticipantID+"\t"+string(p.Kind))
	}
	return words, err
}

// openMail are the newest messages in the caller's inbox.
func openMail(v *fsstore.View, me *schema.Session) ([]string, error) {
	if me == nil {
		return nil, nil
	}
	entries, err := v.Inbox(me.ParticipantID)
	if err != nil {
		return nil, err
	}
	var words []string
	for _, e := range slices.Backward(entries) {
		if len(words) == maxCandidates {
			break
		}
		words = append(words, described(v, fsstore.MessageRef{MessageID: e.MessageID, Kind: e.Kind}))
	}
	return words, nil
}

// anyMessages are the newest messages of the room.
func anyMessages(v *fsstore.View, _ *schema.Session) ([]string, error) { return newest(v, "") }

// decisions are the newest decisions of the room.
func decisions(v *fsstore.View, _ *schema.Session) ([]string, error) {
	return newest(v, schema.Decision)
}

// newest lists messages of a kind, or of any. It gives up in a long history
// that has few of them.
func newest(v *fsstore.View, kind schema.MessageKind) ([]string, error) {
	var words []string
	seen := 0
	for ref, err := range v.History("") {
		if seen++; err != nil || len(words) == maxCandidates || seen > 100*maxCandidates {
			return words, err
		}
		if kind == "" || ref.Kind == kind {
			words = append(words, described(v, ref))
		}
	}
	return words, nil
}

func described(v *fsstore.View, ref fsstore.MessageRef) string {
	m, err := v.MessageByRef(ref)
	if err != nil {
		return ref.MessageID
	}
	return ref.MessageID + "\t" + visible(schema.CutRunes(string(m.Kind)+" from "+m.FromParticipantID+": "+m.Subject, 80))
}

// releasable are the caller's claims, or all of them for whoever takes one
// away by force.
func releasable(v *fsstore.View, me *schema.Session) ([]string, error) {
	own, err := ownClaims(v, me)
	if err != nil || len(own) > 0 {
		return own, err
	}
	return claimList(v, func(*schema.Claim) string { return "" })
}

func ownClaims(v *fsstore.View, me *schema.Session) ([]string, error) {
	return claimList(v, func(c *schema.Claim) string {
		if me == nil || c.OwnerSessionID != me.SessionID {
			return skip
		}
		return ""
	})
}

func ownResources(v *fsstore.View, me *schema.Session) ([]string, error) {
	return claimList(v, func(c *schema.Claim) string {
		if me == nil || c.OwnerSessionID != me.SessionID {
			return skip
		}
		return string(c.Resource)
	})
}

// skip stands for a claim that is no candidate.
const skip = "-"

// claimList lists claims by what name says of each: a word of its own, "" for
// the id of the claim, or skip.
func claimList(v *fsstore.View, name func(*schema.Claim) string) ([]string, error) {
	all, err := v.Claims()
	var words []string
	for i := range all {
		switch word := name(&all[i]); word {
		case skip:
		case "":
			words = append(words, all[i].ClaimID+"\t"+visible(string(all[i].Resource))+" of "+all[i].OwnerParticipantID)
		default:
			words = append(words, visible(word))
		}
	}
	return words, err
}
