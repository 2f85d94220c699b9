//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"acc/schema"
	"acc/tools/delivery/client"
)

func TestLinks(t *testing.T) {
	p := newPlace(t)
	real := p.write("dotfiles/claude.json", "{}\n")
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("dotfiles/claude.json", filepath.Join(p.dir, ".mcp.json")); err != nil {
		t.Fatal(err)
	}
	before := tree(t, p.dir)
	p.install(Installed, "claude")
	info, err := os.Lstat(filepath.Join(p.dir, ".mcp.json"))
	if err != nil || info.Mode().IsRegular() {
		t.Errorf("the link was replaced: %v", err)
	}
	if info, err = os.Stat(real); err != nil || info.Mode() != 0o640 || !strings.Contains(p.read("dotfiles/claude.json"), "acc-mcp") {
		t.Errorf("%v %v", info.Mode(), err)
	}
	p.uninstall(Removed)
	p.same(before)
}

func TestLinksThatLeadOut(t *testing.T) {
	for _, name := range []string{".claude", ".claude/settings.json"} {
		p := newPlace(t)
		outside := filepath.Join(p.home, "elsewhere")
		if strings.Contains(name, "/") {
			p.write(".claude/x", "")
			_ = os.WriteFile(outside, []byte("{}"), 0o644)
		} else {
			_ = os.Mkdir(outside, 0o755)
		}
		if err := os.Symlink(outside, filepath.Join(p.dir, name)); err != nil {
			t.Fatal(err)
		}
		before, home := tree(t, p.dir), tree(t, outside)
		r := p.install(Refused, "claude")
		if !strings.Contains(r.Clients[0].Reason, "leads out") {
			t.Error(r.Clients[0].Reason)
		}
		p.same(before)
		if tree(t, outside) != home {
			t.Errorf("%s: something was written outside", name)
		}
	}
}

func TestUserScope(t *testing.T) {
	p := newPlace(t)
	p.opt.Scope, p.opt.Root = string(client.User), p.home
	elsewhere := filepath.Join(p.dir, "codex-home")
	if err := os.Mkdir(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	p.opt.Env = func(name string) string {
		return map[string]string{"CODEX_HOME": elsewhere, "XDG_STATE_HOME": filepath.Join(p.dir, "state")}[name]
	}
	if err := os.WriteFile(filepath.Join(p.home, ".claude.json"), []byte(`{"projects": {}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	before := tree(t, p.home)
	r := p.install(Installed)
	if r.Clients[0].Files[0].Path != "~/.claude.json" {
		t.Errorf("%+v", r.Clients[0])
	}
	for _, name := range []string{".claude.json", ".claude/skills/acc/SKILL.md", ".gemini/settings.json", ".config/opencode/opencode.json", ".config/opencode/plugin/acc.js", ".agents/skills/acc/SKILL.md"} {
		if _, err := os.Stat(filepath.Join(p.home, name)); err != nil {
			t.Error(err)
		}
	}
	if info, err := os.Stat(filepath.Join(p.home, ".claude.json")); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v", err)
	}
	if !strings.Contains(p.read("codex-home/config.toml"), "acc-mcp") || !strings.Contains(p.read("codex-home/hooks.json"), "hook codex stop") {
		t.Error("CODEX_HOME was not looked at")
	}
	if all := tree(t, p.home); strings.Contains(all, "WORKSPACE") {
		t.Error("a workspace is pinned for all projects")
	}
	p.uninstall(Removed)
	if after := tree(t, p.home); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
}

func TestLedger(t *testing.T) {
	p := newPlace(t)
	p.install(Installed, "claude")
	path := ledgerPath(StateDir(p.opt.Env, p.home), client.Project, p.dir)
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Fatalf("%v", err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := tree(t, p.dir)
	if _, err := Uninstall(p.opt); !schema.HasReason(err, schema.ReasonRecordDamaged) {
		t.Errorf("%v", err)
	}
	if _, err := Install(p.opt); !schema.HasReason(err, schema.ReasonRecordDamaged) {
		t.Errorf("%v", err)
	}
	p.same(before)
}

// A process that was killed between the ledger and the files goes on.
func TestKilledBetween(t *testing.T) {
	p := newPlace(t)
	p.install(Installed, "claude")
	old := tree(t, p.dir)
	p.opt.Participant = "carol"
	p.install(Updated, "claude")
	fresh := tree(t, p.dir)
	p.opt.Participant = ""
	p.install(Updated, "claude") // the ledger says claude, and carol before that
	p.same(old)
	p.opt.Participant = "carol"
	ledger, _ := os.ReadFile(ledgerPath(StateDir(p.opt.Env, p.home), client.Project, p.dir))
	p.install(Updated, "claude")
	p.same(fresh)
	// As if the last change of the files had been lost, with its ledger.
	if err := os.WriteFile(ledgerPath(StateDir(p.opt.Env, p.home), client.Project, p.dir), ledger, 0o600); err != nil {
		t.Fatal(err)
	}
	p.opt.Participant = ""
	for _, f := range p.install(Updated, "claude").Clients[0].Files {
		if len(f.Edited) > 0 {
			t.Errorf("%s is taken for edited", f.Path)
		}
	}
	p.same(old)
}

func TestChangedMeanwhile(t *testing.T) {
	p := newPlace(t)
	path := p.write(".mcp.json", "{}")
	f, err := openFile(p.dir, path, false)
	if err != nil {
		t.Fatal(err)
	}
	p.write(".mcp.json", `{"a": 1}`)
	c := change{file: f, after: []byte("{ }")}
	if err := c.write(); err != errMeanwhile {
		t.Errorf("%v", err)
	}
	if p.read(".mcp.json") != `{"a": 1}` {
		t.Error("it was written over")
	}
}
