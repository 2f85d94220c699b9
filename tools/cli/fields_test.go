package cli

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acc/tools/coordination"
)

// notOffered are the fields of tools that no option stands for, and why not.
var notOffered = map[string]string{
	"acc_claim.action":      "claim acquires, --renew renews",
	"acc_claim.claimId":     "--renew takes it",
	"acc_claim.resources":   "--resource, repeated",
	"acc_release.resources": "--resource, repeated",
	"acc_release.claimIds":  "--claim, repeated",
}

// renamed are the options whose name is not that of the field.
var renamed = map[string]string{
	"acc_work.resourceHints": "hint", "acc_release.claimId": "claim", "acc_request.toParticipantId": "to", "acc_finish.toParticipantId": "to",
}

// TestEveryToolHasACommand holds the command tree to the registry: a field
// that a tool gets is an option of its command from then on.
func TestEveryToolHasACommand(t *testing.T) {
	root := (&App{}).root()
	unused := maps.Clone(notOffered)
	for _, tool := range coordination.Tools(nil) {
		cmd, _, err := root.Find([]string{strings.TrimPrefix(tool.Name, "acc_")})
		if err != nil || cmd == root {
			t.Errorf("%s has no command", tool.Name)
			continue
		}
		for _, field := range tool.Input.Fields() {
			key := tool.Name + "." + field.Name
			name, ok := renamed[key]
			if !ok {
				name = kebab(field.Name)
			}
			_, hidden := notOffered[key]
			delete(unused, key)
			if (cmd.Flags().Lookup(name) == nil) != hidden {
				t.Errorf("%s: --%s is offered: %v", key, name, !hidden)
			}
		}
	}
	if len(unused) > 0 {
		t.Errorf("no such fields: %v", slices.Sorted(maps.Keys(unused)))
	}
}

func TestKebab(t *testing.T) {
	for name, want := range map[string]string{"to": "to", "clientMessageId": "client-message-id", "leaseSeconds": "lease-seconds"} {
		if got := kebab(name); got != want {
			t.Errorf("kebab(%s) = %s", name, got)
		}
	}
}

// TestArguments: one value is the scalar form, several are the list.
func TestArguments(t *testing.T) {
	for line, want := range map[string]map[string]any{
		"":                                {},
		"--resource a":                    {"resource": "a"},
		"--resource a --resource b":       {"resources": []string{"a", "b"}},
		"--claim c1":                      {"claimId": "c1"},
		"--claim c1 --claim c2":           {"claimIds": []string{"c1", "c2"}},
		"--all":                           {"all": "true"},
		"--all=false":                     {"all": "false"},
		"--resource a,b":                  {"resource": "a,b"},
		"--resource= --claim c":           {"resource": "", "claimId": "c"},
		"--claim c1 --resource a --all=1": {"claimId": "c1", "resource": "a", "all": "1"},
	} {
		app := &App{}
		f := app.mirror(app.statusCommand(), "acc_release", sugar{
			names: map[string]string{"claimId": "claim"}, pairs: map[string]string{"resources": "resource", "claimIds": "claimId"},
		})
		if err := f.cmd.ParseFlags(strings.Fields(line)); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if diff := cmp.Diff(want, f.arguments()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{"90s": 90 * time.Second, "45m": 45 * time.Minute, "1h30m": 90 * time.Minute, "2d": 48 * time.Hour} {
		if got, err := duration(text); err != nil || got != want {
			t.Errorf("duration(%s) = %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"soon", "1.5ms", "d", "99999999999999999999d", "1h d"} {
		if got, err := duration(text); err == nil && got < 1000*time.Hour {
			t.Errorf("duration(%s) = %s", text, got)
		}
	}
}
