package hook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
	"acc/tools/delivery/client"
)

// guarded makes the claims of a peer guarded ones, as those of a client with
// hooks are.
func (p *peer) guarded() *peer {
	p.room.GuardClaims()
	return p
}

func (p *peer) claim(resource, reason string) {
	p.t.Helper()
	p.call("acc_claim", `{"action":"acquire","resource":"file:`+resource+`","reason":"`+reason+`"}`)
}

func TestGuard(t *testing.T) {
	h := newHouse(t)
	real := file(t, h.dir, "src/app.go")
	file(t, h.dir, "docs/a.md")
	if err := os.Symlink(real, filepath.Join(h.dir, "link.go")); err != nil {
		t.Skip(err)
	}
	outside := file(t, t.TempDir(), "src/app.go")
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	bob := h.peer("bob").guarded()
	bob.claim("src/**", "split the parser")
	for name, test := range map[string]struct {
		dir    string
		paths  []string
		denied bool
	}{
		"absolute":           {paths: []string{real}, denied: true},
		"relative":           {paths: []string{"src/app.go"}, denied: true},
		"from below":         {dir: "src", paths: []string{"app.go"}, denied: true},
		"around a corner":    {dir: "docs", paths: []string{"../src/new.go"}, denied: true},
		"through a link":     {paths: []string{"link.go"}, denied: true},
		"a new folder in it": {paths: []string{"src/new/deep.go"}, denied: true},
		"one of many":        {paths: []string{"docs/a.md", "src/app.go"}, denied: true},
		"the folder itself":  {paths: []string{"src"}, denied: true},
		"elsewhere":          {paths: []string{"docs/a.md", "new.txt"}},
		"outside the room":   {paths: []string{outside}},
		"no file":            {},
	} {
		t.Run(name, func(t *testing.T) {
			text := c.context(client.BeforeTool, edits(test.paths...), func(in *client.Input) {
				in.Dir = filepath.Join(h.dir, test.dir)
			})
			if (text != "") != test.denied {
				t.Fatalf("%v: %q", test.paths, text)
			}
			if test.denied {
				wantAll(t, text, "src", "held by bob (online)", "src/**", "30 min left", `in the words of bob: "split the parser"`, `acc_message {"to":["bob"]`)
			}
		})
	}
	h.pass(time.Hour)
	if text := c.context(client.BeforeTool, edits(real)); text != "" {
		t.Errorf("the claim is over, and still: %s", text)
	}
}

func TestOnlyGuardedClaimsOfOthersStopAnEdit(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	h.peer("bob").claim("advisory.go", "asks")
	c.run(client.BeforeTool)
	// The client's own claims come from its MCP server, in the same session.
	own := h.peer("claude")
	own.caller = tools.Caller{Harness: client.Harness(c.id), ClientSession: c.session}
	own.claim("mine.go", "own work")
	for _, path := range []string{"advisory.go", "mine.go"} {
		if text := c.context(client.BeforeTool, edits(path)); text != "" {
			t.Errorf("%s: %s", path, text)
		}
	}
	other := h.client(client.Codex, "x1")
	other.run(client.SessionStart)
	if text := other.context(client.BeforeTool, edits("mine.go")); !strings.Contains(text, "held by claude") {
		t.Errorf("a claim of a client with hooks stops nobody: %q", text)
	}
}

func TestEnforcementFollowsTheHooks(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	want := func(when string, l schema.Lifecycle, e schema.Enforcement) {
		t.Helper()
		if s := h.sessions("claude"); len(s) != 1 || s[0].Lifecycle != l || s[0].Enforcement != e {
			t.Errorf("%s: %+v", when, s)
		}
	}
	c.run(client.BeforeTurn)
	want("a turn", schema.Automatic, schema.Advisory)
	c.run(client.BeforeTool)
	want("a tool", schema.Automatic, schema.Guarded)
	c.run(client.SessionStart, source(client.SourceCompact))
	want("compacted", schema.Automatic, schema.Guarded)
	c.run(client.SessionStart, source(client.SourceClear))
	want("cleared", schema.Automatic, schema.Guarded)
	c.run(client.SessionEnd)
	want("the end", schema.Automatic, schema.Advisory)
}

func TestDenialIsBounded(t *testing.T) {
	why := strings.Repeat("<\u202E", 200)
	holder := coordination.Holder{
		Resource: schema.Resource("file:" + strings.Repeat("d/", 400) + "**"), OwnerParticipantID: strings.Repeat("b", 64),
		OwnerPresence: coordination.Online, Reason: &why,
	}
	names, holders := numbered(strings.Repeat("&", 300)+"%d", 40), [][]coordination.Holder{}
	for range names {
		holders = append(holders, []coordination.Holder{holder, holder})
	}
	text := denial(names, holders, time.Time{})
	if len(text) > Budget+2000 || strings.ContainsAny(text, "<\u202E") || strings.Count(text, "\n- ") != maxDenied {
		t.Errorf("%d bytes:\n%s", len(text), text)
	}
}
