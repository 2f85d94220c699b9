package coordination

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"acc/golden"
	"acc/schema"
	"acc/tools"
	"acc/tools/toolcheck"
)

// declared is the registry as a server publishes it.
func declared() *tools.Registry {
	var reg tools.Registry
	reg.Add(Tools(nil), Resources(nil))
	return &reg
}

// TestDeclarations holds what clients get to the golden files. The tool
// surface is a contract: a change is made on purpose or not at all.
func TestDeclarations(t *testing.T) {
	t.Parallel()
	list, err := toolcheck.Published(declared())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("all definitions have %d bytes", len(list))
	var indented bytes.Buffer
	if err := json.Indent(&indented, list, "", "  "); err != nil {
		t.Fatal(err)
	}
	indented.WriteByte('\n')
	golden.Compare(t, "declarations/tools.json", indented.Bytes())

	type entry struct {
		URI         string `json:"uri"`
		Name        string `json:"name"`
		Title       string `json:"title"`
		Description string `json:"description"`
	}
	var entries []entry
	for _, r := range declared().Resources {
		entries = append(entries, entry{r.URI, r.Name, r.Title, r.Description})
	}
	text, err := schema.Format(entries)
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "declarations/resources.json", text)
	golden.NoOrphans(t, "declarations", "declarations/tools.json", "declarations/resources.json")
}

func TestDeclarationsAreFitForClients(t *testing.T) {
	t.Parallel()
	for _, problem := range toolcheck.CheckDeclarations(declared(), "acc") {
		t.Error(problem)
	}
	want := []string{
		"acc_status", "acc_sync", "acc_work", "acc_claim", "acc_release", "acc_message", "acc_request", "acc_inbox",
		"acc_reply", "acc_ack", "acc_finish",
	}
	var names []string
	for _, tool := range declared().Tools {
		names = append(names, tool.Name)
	}
	equal(t, "tools", names, want)
	var uris []string
	for _, r := range declared().Resources {
		uris = append(uris, r.URI)
	}
	equal(t, "resources", uris, []string{"acc://inbox", "acc://roster", "acc://snapshot"})
}

// TestDeclaredFields is the table of the contract: what is required and what
// else there is.
func TestDeclaredFields(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"acc_status":  "",
		"acc_sync":    "cursor scope limit kind messageId current",
		"acc_work":    "summary mode state resourceHints clear",
		"acc_claim":   "action! resource resources mode reason claimId leaseSeconds",
		"acc_release": "claimId claimIds resource resources all",
		"acc_message": "to! subject! body! kind obligation clientMessageId supersedes withdraws",
		"acc_request": "toParticipantId! title! detail clientMessageId",
		"acc_inbox":   "messageId cursor limit",
		"acc_reply":   "messageId! body! subject clientMessageId",
		"acc_ack":     "messageId!",
		"acc_finish":  "goal! status completed remaining blockers toParticipantId clientMessageId",
	}
	for _, tool := range declared().Tools {
		var fields []string
		for _, f := range tool.Input.Fields() {
			name := f.Name
			if f.Required {
				name += "!"
			}
			fields = append(fields, name)
		}
		equal(t, tool.Name, strings.Join(fields, " "), want[tool.Name])
	}
}

func TestAnnotationsAreTrue(t *testing.T) {
	t.Parallel()
	want := map[string]tools.Annotations{
		"acc_status": reads, "acc_sync": reads, "acc_inbox": marks, "acc_work": repeats, "acc_claim": repeats, "acc_ack": repeats,
		"acc_message": writes, "acc_request": writes, "acc_reply": writes, "acc_release": removes, "acc_finish": removes,
	}
	for _, tool := range declared().Tools {
		equal(t, tool.Name, tool.Annotations, want[tool.Name])
	}
	if !reads.ReadOnly || marks.ReadOnly || !removes.Destructive {
		t.Error("the hints do not say what their names say")
	}
}

// TestTextsPromisePollingOnly: receiving is polling, and no text says more.
func TestTextsPromisePollingOnly(t *testing.T) {
	t.Parallel()
	if n := utf8.RuneCountInString(Instructions); n > 2000 {
		t.Errorf("the instructions have %d characters", n)
	}
	texts := map[string]string{"instructions": Instructions}
	for _, tool := range declared().Tools {
		texts[tool.Name] = tool.Description
		for _, f := range tool.Input.Fields() {
			texts[tool.Name+"."+f.Name] = f.Description
		}
	}
	promise := regexp.MustCompile(`(?i)\b(notif|push|wak|prevent|lock|guarantee|real.?time|immediately|instant|interrupt)`)
	honest := map[string]string{"instructions": "nothing is pushed", "acc_status": "nothing is pushed"}
	for name, text := range texts {
		text = strings.ReplaceAll(text, honest[name], "")
		if word := promise.FindString(text); word != "" && honest[name] == "" {
			t.Errorf("%s speaks of %q: %s", name, word, text)
		}
	}
	for _, name := range []string{"acc_status", "acc_message", "acc_request", "acc_inbox", "instructions"} {
		if !regexp.MustCompile(`(?i)\bpoll|\bcall again`).MatchString(texts[name]) {
			t.Errorf("%s does not say that receiving is polling", name)
		}
	}
	if !strings.Contains(texts["acc_claim"], "advisory") {
		t.Error("acc_claim does not say that claims are advisory")
	}
	for _, tool := range declared().Tools {
		if tool.Name != "acc_status" && !strings.Contains(Instructions, tool.Name) {
			t.Errorf("the instructions do not mention %s", tool.Name)
		}
	}
}

// TestCapabilitiesAreAllFalse: over MCP the room can do nothing to a client.
func TestCapabilitiesAreAllFalse(t *testing.T) {
	t.Parallel()
	a := answerOf(t, Declaration())
	a.want("acc", `{
		"lifecycle": {"sessionStart": false, "resume": false, "sessionEnd": false},
		"context": {"startup": false, "beforeTurn": false, "safePoint": false},
		"guards": {"beforeRead": false, "beforeWrite": false, "beforeShell": false},
		"delivery": {"nextTurn": false, "livePush": false, "replyRoute": false}}`)
}

// TestToolsPage keeps docs/tools.md in step; -update writes it.
func TestToolsPage(t *testing.T) {
	t.Parallel()
	golden.Compare(t, "../docs/tools.md", tools.Reference(declared()))
}

// TestExamplesAreGood: every tool has examples, and none is refused for its
// form.
func TestExamplesAreGood(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join("bob")
	for _, tool := range declared().Tools {
		if len(tool.Examples) == 0 {
			t.Errorf("%s has no example", tool.Name)
		}
		for _, example := range tool.Examples {
			alice := w.join("alice")
			if _, err := alice.call(tool.Name, example); err != nil && schema.AsError(err).Code == schema.CodeUsage {
				t.Errorf("%s %s: %v", tool.Name, example, err)
			}
		}
	}
	if len(examples) != len(declared().Tools) {
		t.Error("there are examples of tools that do not exist")
	}
}
