package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"acc/golden"
)

// TestReference keeps docs/cli.md in step; -update writes it.
func TestReference(t *testing.T) { golden.Compare(t, "../docs/cli.md", Reference()) }

// TestEveryCommandIsExplained holds each command to what help shows of it.
func TestEveryCommandIsExplained(t *testing.T) {
	root := (&App{}).root()
	groups := map[string]bool{}
	for _, g := range root.Groups() {
		groups[g.ID] = true
	}
	var check func(*cobra.Command)
	check = func(c *cobra.Command) {
		if c.Example == "" || c.Short == "" || strings.HasSuffix(c.Short, ".") || c.Args == nil {
			t.Errorf("%s lacks an example, a short text without a stop, or a rule for its arguments", c.CommandPath())
		}
		if c.Parent() == root && !groups[c.GroupID] {
			t.Errorf("%s is in no group of help", c.CommandPath())
		}
		for _, o := range localOptions(c) {
			if o.Usage == "" {
				t.Errorf("%s --%s is not explained", c.CommandPath(), o.Name)
			}
		}
		for _, line := range strings.Split(c.Long+"\n"+c.Example, "\n") {
			if len([]rune(line)) > 108 {
				t.Errorf("%s: a line of help is too long: %q", c.CommandPath(), line)
			}
		}
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	for _, c := range ordered(root) {
		check(c)
	}
}
