package guard

import (
	"fmt"
	"strings"
	"time"

	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
)

// shownFiles is how many files a message names; the details have all.
const shownFiles = 20

// Refusal is the failure that a check with blocked files ends in.
func (r Result) Refusal(now time.Time) *schema.Error {
	return schema.Fail(schema.ReasonClaimedByOthers, "%s", r.Text(now)+
		"\nWrite to the holder, wait, or leave these files out. If a claim is your own, say so: ACC_SESSION=<your session>. "+
		"ACC_GUARD=warn lets the commit pass.").
		With("conflicts", r.Blocked)
}

// Text names each blocked file with who holds it, how long and why.
func (r Result) Text(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d files claimed by others:", len(r.Blocked), r.Checked)
	for i, f := range r.Blocked {
		if i == shownFiles {
			fmt.Fprintf(&b, "\n  and %d more", len(r.Blocked)-i)
			break
		}
		for _, h := range f.Holders {
			b.WriteString("\n  " + describe(f.File, h, now))
		}
	}
	return b.String()
}

func describe(file string, h coordination.Holder, now time.Time) string {
	text := fmt.Sprintf("%s: %s (%s)", schema.Visible(file, 200), h.OwnerParticipantID, h.OwnerPresence)
	if name := strings.TrimPrefix(string(h.Resource), schema.FileScheme+":"); name != file {
		text += " by its claim on " + schema.Visible(name, 200)
	}
	text += ", " + tools.Left(h.ExpiresAt.Sub(now))
	if h.Reason != nil {
		text += ": " + schema.Visible(*h.Reason, schema.MaxReason)
	}
	return text
}
