package install

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"acc/schema"
	"acc/tools/coordination"
	"acc/tools/delivery/client"
)

// The skill is read by a model on every task: it is short, and names only tools
// that there are.
func TestSkill(t *testing.T) {
	if n := strings.Count(skillText, "\n"); n > 80 {
		t.Errorf("it has %d lines", n)
	}
	if !strings.HasPrefix(skillText, "---\nname: acc\ndescription: ") || !strings.Contains(skillText, mark) {
		t.Error("the head or the mark is missing")
	}
	known := map[string]bool{}
	for _, tool := range coordination.Tools(nil) {
		known[tool.Name] = true
	}
	named := map[string]bool{}
	for _, name := range regexp.MustCompile(`acc_[a-z]+`).FindAllString(skillText, -1) {
		named[name] = true
		if !known[name] {
			t.Errorf("there is no tool %s", name)
		}
	}
	for _, name := range []string{"acc_status", "acc_inbox", "acc_reply", "acc_ack", "acc_claim", "acc_finish"} {
		if !named[name] {
			t.Errorf("%s is not taught", name)
		}
	}
}

// The modes it names are those of acc_work.
func TestSkillNamesModes(t *testing.T) {
	_, rest, found := strings.Cut(skillText, "`mode`")
	sentence, _, _ := strings.Cut(rest, ".\n")
	modes := regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(sentence, -1)
	if !found || len(modes) == 0 {
		t.Fatal("no mode is taught")
	}
	for _, m := range modes {
		if !slices.Contains(schema.WorkModes(), m[1]) {
			t.Errorf("acc_work has no mode %s", m[1])
		}
	}
}

func TestPlugin(t *testing.T) {
	c, err := client.Find(client.OpenCode)
	if err != nil {
		t.Fatal(err)
	}
	text := plugin(c, client.Setup{Acc: `C:\a "b"\acc.exe`, Participant: "bob", Delivery: "off"})
	for _, want := range []string{`const ACC = "C:\\a \"b\"\\acc.exe"`, `const OPTIONS = ["--participant", "bob", "--delivery", "off"]`, mark} {
		if !strings.Contains(text, want) {
			t.Errorf("it has no %s", want)
		}
	}
}
