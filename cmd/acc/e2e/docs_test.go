package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"acc/golden"
	"acc/schema"
	"acc/tools/delivery/client"
)

// Between these lines the page has the table.
const (
	tableBegins = "<!-- table: make e2e WRITE=1 writes it -->\n"
	tableEnds   = "<!-- end of table -->\n"
)

// TestDocs holds the page on clients to what is recorded of them; -update
// writes the table anew.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "clients.md"))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(page), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		t.Fatalf("docs/clients.md has no place for the table: a line %q and a line %q", tableBegins, tableEnds)
	}
	golden.Compare(t, "../docs/clients.md", []byte(before+tableBegins+table(client.Evidence())+tableEnds+after))
}

// column is one thing that was looked for.
type column struct {
	title string
	seen  func(client.Tested) bool
}

func capability(title string, seen func(schema.Capabilities) bool) column {
	return column{title, func(t client.Tested) bool { return seen(t.Capabilities) }}
}

var columns = []column{
	capability("start", func(c schema.Capabilities) bool { return c.Lifecycle.SessionStart }),
	capability("resume", func(c schema.Capabilities) bool { return c.Lifecycle.Resume }),
	capability("end", func(c schema.Capabilities) bool { return c.Lifecycle.SessionEnd }),
	capability("text at the start", func(c schema.Capabilities) bool { return c.Context.Startup }),
	capability("text before a turn", func(c schema.Capabilities) bool { return c.Context.BeforeTurn }),
	capability("text within a turn", func(c schema.Capabilities) bool { return c.Context.SafePoint }),
	capability("mail offered", func(c schema.Capabilities) bool { return c.Delivery.NextTurn }),
	capability("edit stopped", func(c schema.Capabilities) bool { return c.Guards.BeforeWrite }),
	capability("patch in a shell stopped", func(c schema.Capabilities) bool { return c.Guards.BeforeShell }),
	{"turn held", func(t client.Tested) bool { return t.Hold }},
}

func table(tested []client.Tested) string {
	var b strings.Builder
	b.WriteString("\n| client | version |")
	for _, c := range columns {
		fmt.Fprintf(&b, " %s |", c.title)
	}
	b.WriteString("\n|---|---|" + strings.Repeat(":-:|", len(columns)) + "\n")
	for _, t := range tested {
		name := t.Client
		if c, err := client.Find(t.Client); err == nil {
			name = c.Name
		}
		fmt.Fprintf(&b, "| %s | %s |", name, t.Version)
		for _, c := range columns {
			fmt.Fprintf(&b, " %s |", map[bool]string{true: "yes", false: "–"}[c.seen(t)])
		}
		b.WriteString("\n")
	}
	return b.String() + "\n"
}
