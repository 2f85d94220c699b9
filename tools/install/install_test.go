package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"acc/schema"
	"acc/tools/delivery/client"
)

// settings are files as people have them before.
var settings = map[string]string{
	".mcp.json":             "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}}\n",
	".claude/settings.json": "{\r\n    \"model\": \"m\",\r\n    \"hooks\": {\r\n        \"Stop\": []\r\n    }\r\n}",
	".codex/config.toml":    "model = \"m\" # mine\r\n[mcp_servers.other]\r\ncommand = \"x\"",
	".codex/hooks.json":     "{\n  \"hooks\": {\"PreToolUse\": [{\"matcher\": \"x\", \"hooks\": []}]}\n}\n",
	".gemini/settings.json": "{\n\t// dark\n\t\"theme\": \"dark\" // really\n}\n",
	".qwen/settings.json":   "{}\n",
	"opencode.jsonc":        "{\n  // comment\n  \"mcp\": {},\n}\n",
}

func TestInstallAndBack(t *testing.T) {
	for name, files := range map[string]map[string]string{"nothing": nil, "settings": settings} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			for name, text := range files {
				p.write(name, text)
			}
			before, home := tree(t, p.dir), tree(t, p.home)
			p.opt.DryRun = true
			dry := p.install(Installed)
			p.same(before)
			if tree(t, p.home) != home {
				t.Error("a dry run wrote a ledger")
			}
			p.opt.DryRun = false
			if real := p.install(Installed); diffs(real) != diffs(dry) {
				t.Errorf("a dry run showed\n%s\nand a real one\n%s", diffs(dry), diffs(real))
			}
			installed := tree(t, p.dir)
			if n := strings.Count(installed, "/opt/acc dir/acc'"); n != 23 {
				t.Errorf("%d hooks, not 6 of three clients and 5 of Qwen Code", n)
			}
			if r := p.install(Unchanged); diffs(r) != "" {
				t.Errorf("the second time:\n%s", diffs(r))
			}
			p.same(installed)
			p.uninstall(Removed)
			p.same(before)
			p.uninstall(Absent, "claude")
		})
	}
}

func diffs(r Report) string {
	var b strings.Builder
	for _, o := range r.Clients {
		for _, f := range o.Files {
			b.WriteString(f.Diff)
		}
	}
	return b.String()
}

// In any order of leaving, what is shared stays until the last one.
func TestUninstallOneByOne(t *testing.T) {
	for _, order := range [][]string{{"codex", "gemini", "qwen", "opencode"}, {"opencode", "qwen", "codex", "gemini"}} {
		p := newPlace(t)
		before := tree(t, p.dir)
		p.install(Installed, order...)
		for i, id := range order {
			if _, err := os.Stat(filepath.Join(p.dir, ".agents/skills/acc/SKILL.md")); err != nil {
				t.Fatalf("before %s: %v", id, err)
			}
			r := p.uninstall(Removed, id)
			files := r.Clients[0].Files
			if last := i+1 == len(order); (files[len(files)-1].State == Shared) == last {
				t.Errorf("%s: %+v", id, files)
			}
		}
		p.same(before)
	}
}

func TestOtherOptions(t *testing.T) {
	p := newPlace(t)
	p.write(".gemini/settings.json", settings[".gemini/settings.json"])
	before := tree(t, p.dir)
	p.install(Installed)
	p.opt.Participant, p.opt.Delivery, p.opt.Acc, p.opt.Server = "carol", "actionable", "/else/it's/acc", "/else/acc-mcp"
	p.install(Updated)
	all := tree(t, p.dir)
	for _, gone := range []string{"/opt/acc dir", ":-claude"} {
		if strings.Contains(all, gone) {
			t.Errorf("%s is still there:\n%s", gone, all)
		}
	}
	if n := strings.Count(all, "--delivery actionable"); n != 23 {
		t.Errorf("the option is in %d hooks", n)
	}
	if !strings.Contains(p.read(".codex/hooks.json"), `'/else/it'\\''s/acc' hook codex stop --participant carol --delivery actionable"`) {
		t.Error(p.read(".codex/hooks.json"))
	}
	p.install(Unchanged)
	p.uninstall(Removed)
	p.same(before)
}

func TestWithoutALedger(t *testing.T) {
	p := newPlace(t)
	p.install(Installed)
	if err := os.RemoveAll(StateDir(p.opt.Env, p.home)); err != nil {
		t.Fatal(err)
	}
	p.opt.Acc = "/else/acc"
	p.opt.Server = "/else/acc-mcp"
	p.install(Installed)
	all := tree(t, p.dir)
	if strings.Contains(all, "/opt/acc dir") || strings.Count(all, "hook gemini stop") != 1 {
		t.Errorf("not taken over:\n%s", all)
	}
}

func TestForeign(t *testing.T) {
	for name, c := range map[string]struct{ client, file, text, want string }{
		"server":       {"claude", ".mcp.json", `{"mcpServers": {"acc": {"command": "other"}}}`, "a server acc that acc install did not write"},
		"by hand":      {"gemini", ".gemini/settings.json", `{"mcpServers": {"acc": {"command": "acc-mcp", "env": {"ACC_MCP_PARTICIPANT": "carol", "X": "1"}}}}`, "set up by hand"},
		"toml":         {"codex", ".codex/config.toml", "[mcp_servers.acc]\ncommand = \"other\"\n", "a server acc that acc install did not write"},
		"toml inline":  {"codex", ".codex/config.toml", "mcp_servers = {acc = {command = \"other\"}}\n", "a server acc"},
		"toml closed":  {"codex", ".codex/config.toml", "mcp_servers = {}\n", "valid TOML"},
		"toml damaged": {"codex", ".codex/config.toml", "a = 1\nb = [\n", ".codex/config.toml: line 2"},
		"json damaged": {"claude", ".claude/settings.json", "{\n  \"a\": 1,,\n}", ".claude/settings.json: line 2"},
		"hooks":        {"claude", ".claude/settings.json", `{"hooks": []}`, ".claude/settings.json: line 1"},
		"event":        {"codex", ".codex/hooks.json", "{\"hooks\": {\n\"Stop\": {}}}", ".codex/hooks.json: line 2"},
		"skill":        {"qwen", ".agents/skills/acc/SKILL.md", "mine", "a file that acc install did not write"},
		"plugin":       {"opencode", ".opencode/plugin/acc.js", "mine", "a file that acc install did not write"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.write(c.file, c.text)
			before := tree(t, p.dir)
			r := p.install(Refused, c.client)
			if why := r.Clients[0].Reason; !strings.Contains(why, c.want) || !strings.Contains(why, c.file) || strings.Contains(why, p.dir) {
				t.Errorf("%q", why)
			}
			if r.Refusals() != 1 || len(r.Clients[0].Files) != 0 {
				t.Errorf("%+v", r)
			}
			p.same(before)
			refusals := 1
			if name == "skill" {
				refusals = 4 // whoever reads it
			}
			p.opt.Clients = nil
			if r, err := Install(p.opt); err != nil || r.Refusals() != refusals || len(r.Clients) != 5 {
				t.Errorf("with the others: %+v %v", r, err)
			}
		})
	}
}

func TestEditedSince(t *testing.T) {
	p := newPlace(t)
	p.install(Installed, "claude", "codex", "opencode")
	edit := func(name, old, fresh string) {
		t.Helper()
		text := p.read(name)
		if !strings.Contains(text, old) {
			t.Fatalf("%s has no %s", name, old)
		}
		p.write(name, strings.Replace(text, old, fresh, 1))
	}
	edit(".claude/settings.json", `"timeout": 10`, `"timeout": 60`)
	edit(".codex/config.toml", `"codex"`, `"bob"`)
	edit(".opencode/plugin/acc.js", "5000", "6000")
	edit("opencode.json", "{\n", "{\n  \"theme\": \"dark\",\n")
	before := tree(t, p.dir)
	p.opt.Participant = "carol"
	for _, o := range p.install(Updated, "claude", "codex").Clients {
		if n := len(o.Files[0].Edited) + len(o.Files[1].Edited); n != 1 {
			t.Errorf("%s: %d entries are named as edited", o.Client, n)
		}
	}
	if after := tree(t, p.dir); !strings.Contains(after, `"timeout": 60`) || !strings.Contains(after, `"bob"`) || after == before {
		t.Errorf("%s", after)
	}
	statuses, err := Statuses(p.opt)
	if err != nil || len(statuses) != 3 || statuses[0].State != Edited || statuses[1].State != Edited || statuses[2].State != Edited {
		t.Errorf("%+v %v", statuses, err)
	}
	p.uninstall(Removed)
	if text := p.read("opencode.json"); text != "{\n  \"theme\": \"dark\"\n}\n" {
		t.Errorf("%q", text)
	}
	if text := p.read(".claude/settings.json"); strings.Count(text, "acc dir") != 1 || !strings.Contains(text, `"timeout": 60`) {
		t.Error(text)
	}
	for _, name := range []string{".codex/config.toml", ".opencode/plugin/acc.js"} {
		if !strings.Contains(p.read(name), "acc dir") {
			t.Errorf("%s: the edit is gone", name)
		}
	}
	if _, err := os.Stat(filepath.Join(p.dir, ".mcp.json")); err == nil {
		t.Error(".mcp.json is still there")
	}
}

func TestMissing(t *testing.T) {
	p := newPlace(t)
	p.install(Installed, "claude", "codex")
	p.write(".claude/settings.json", "{}")
	if err := os.Remove(filepath.Join(p.dir, ".codex/hooks.json")); err != nil {
		t.Fatal(err)
	}
	statuses, _ := Statuses(p.opt)
	if statuses[0].State != Missing || len(statuses[0].Missing) != 6 || statuses[1].State != Missing {
		t.Errorf("%+v", statuses)
	}
	p.install(Updated, "claude", "codex")
	statuses, _ = Statuses(p.opt)
	if statuses[0].State != Whole || statuses[1].State != Whole {
		t.Errorf("%+v", statuses)
	}
}

func TestWhoIsInstalled(t *testing.T) {
	p := newPlace(t)
	p.opt.Look = func(program string) (string, error) {
		if program == "codex" {
			return "/bin/codex", nil
		}
		return "", os.ErrNotExist
	}
	if r := p.install(Installed); len(r.Clients) != 1 || r.Clients[0].Client != client.Codex || !r.Clients[0].Found {
		t.Errorf("%+v", r)
	}
	if r := p.install(Installed, "qwen"); r.Clients[0].Found {
		t.Error("qwen was found")
	}
	p.opt.Clients = []string{"vim"}
	if _, err := Install(p.opt); !schema.HasReason(err, schema.ReasonInvalidField) {
		t.Errorf("%v", err)
	}
	p.opt.Clients, p.opt.Look = nil, func(string) (string, error) { return "", os.ErrNotExist }
	if _, err := Install(p.opt); !schema.HasReason(err, schema.ReasonInvalidArguments) {
		t.Errorf("%v", err)
	}
}
