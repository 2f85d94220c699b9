package tools

import (
	"fmt"
	"strings"
)

// Reference is the page about the tools and resources of a registry, in
// Markdown. Everything on it comes from the declarations.
func Reference(reg *Registry) []byte {
	var b strings.Builder
	b.WriteString("# Tools\n\n" +
		"This page is generated from the declarations that clients get; edit those, not the page.\n\n" +
		"Arguments are one JSON object. A field that is left out, `null` or, where it is optional, `\"\"` is not given. " +
		"An unknown field is refused. Failures are listed in [errors](errors.md).\n\n" +
		"| Tool | What it does to others |\n|---|---|\n")
	for _, t := range reg.Tools {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s |\n", t.Name, t.Name, t.Annotations.words())
	}
	for _, t := range reg.Tools {
		t.describe(&b)
	}
	if len(reg.Resources) > 0 {
		describeResources(&b, reg.Resources)
	}
	return []byte(b.String())
}

func (t Tool) describe(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n**%s.** %s\n\nHints: %s.\n\n", t.Name, t.Title, t.Description, t.Annotations.words())
	if fields := t.Input.Fields(); len(fields) == 0 {
		b.WriteString("It takes no fields.\n")
	} else {
		b.WriteString("| Field | Form | Meaning |\n|---|---|---|\n")
		for _, f := range fields {
			fmt.Fprintf(b, "| %s | %s | %s |\n", f.label(), cell(f.shape()), cell(f.Description))
		}
	}
	if len(t.Examples) > 0 {
		fmt.Fprintf(b, "\n```json\n%s\n```\n", strings.Join(t.Examples, "\n"))
	}
}

func describeResources(b *strings.Builder, resources []Resource) {
	b.WriteString("\n# Resources\n\nRead-only documents of type `application/json`.\n\n| Resource | Content |\n|---|---|\n")
	for _, r := range resources {
		fmt.Fprintf(b, "| `%s` | %s |\n", r.URI, cell(r.Description))
	}
}

// words are the hints as a person reads them.
func (a Annotations) words() string {
	words := []string{"writes"}
	if a.ReadOnly {
		words[0] = "read-only"
	}
	if a.Destructive {
		words = append(words, "takes something away")
	}
	if a.Idempotent {
		words = append(words, "safe to repeat")
	}
	return strings.Join(words, ", ")
}

func (f Field) label() string {
	if f.Required {
		return "**`" + f.Name + "`** (required)"
	}
	return "`" + f.Name + "`"
}

// shape says in a few words what a field takes.
func (f Field) shape() string {
	if words := f.words(); words != nil && f.Type == "string" {
		return "`" + strings.Join(words, "` `") + "`"
	}
	if f.Type == "string" {
		return "string"
	}
	return strings.TrimPrefix(strings.TrimPrefix(f.form(), "an "), "a ")
}

// cell keeps a text within one cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}
