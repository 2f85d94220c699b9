package hook

import (
	"context"
	"fmt"
	"strings"
	"time"

	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
	"acc/tools/delivery/client"
	"acc/tools/guard"
)

// tool stops an edit into ground that another session guards. Every call is a
// sign of life; only tools that edit files are looked at.
func (c *call) tool(ctx context.Context) error {
	if err := c.alive(ctx); err != nil || len(c.Input.Paths) == 0 {
		return err
	}
	names, ground := c.ground()
	if len(names) == 0 {
		return nil
	}
	holders, err := c.Room.Denied(ctx, c.caller, ground)
	if err != nil {
		return err
	}
	return c.write(client.Answer{Deny: denial(names, holders, c.Now)})
}

// ground is what claims call the files of an edit; what the room does not
// cover is left out.
func (c *call) ground() (names []string, ground [][]schema.Resource) {
	files := c.Workspace.Files()
	for _, name := range c.Input.Paths {
		if found := guard.Resources(c.Workspace, files, c.Input.Dir, name); len(found) > 0 {
			names, ground = append(names, strings.TrimPrefix(string(found[0]), schema.FileScheme+":")), append(ground, found)
		}
	}
	return names, ground
}

// maxDenied is how many files a refusal names.
const maxDenied = 10

// denial says why an edit is stopped, and what to do; "" when it is not.
func denial(names []string, holders [][]coordination.Holder, now time.Time) string {
	var b strings.Builder
	var first *coordination.Holder
	n := 0
	for i, list := range holders {
		for j := range list {
			if n++; n > maxDenied {
				break
			}
			if first == nil {
				first = &list[j]
			}
			b.WriteString(obstacle(names[i], list[j], now))
		}
	}
	if first == nil {
		return ""
	}
	return fmt.Sprintf("acc: this edit was stopped, because another session guards what it would change.\n%s"+
		"Work elsewhere, wait for the claim to end, or write to the holder: "+
		`acc_message {"to":["%s"],"kind":"question","subject":"…","body":"…"}`, b.String(), first.OwnerParticipantID)
}

func obstacle(name string, h coordination.Holder, now time.Time) string {
	claim := strings.TrimPrefix(string(h.Resource), schema.FileScheme+":")
	by := ""
	if claim != name {
		by = " by a claim on " + line(claim, 160)
	}
	why := "no reason was given"
	if h.Reason != nil {
		why = "the reason, in the words of " + h.OwnerParticipantID + ": " + words(*h.Reason, 300)
	}
	return fmt.Sprintf("- %s is held by %s (%s)%s, %s; %s\n", line(name, 160), h.OwnerParticipantID, h.OwnerPresence, by, tools.Left(h.ExpiresAt.Sub(now)), why)
}
