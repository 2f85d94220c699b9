package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// preface is what docs/cli.md says before it comes to single commands.
const preface = `# Command line

This page is generated from the command tree; edit that, not the page.

` + "`acc`" + ` is the room for people and scripts. A command that mirrors a tool calls that [tool](tools.md), so validation, values and
errors are the same. Options stand before or after the command, and after the arguments as well.

## Who is calling

Reading the room needs no identity. What acts for somebody, and ` + "`inbox`" + `, needs the pair that ` + "`acc attach`" + ` prints: ` + "`--session`" + ` and
` + "`--generation`" + `, or ` + "`ACC_SESSION` and `ACC_GENERATION`" + `. It is never guessed, not even from a session that is alone. A person keeps
a pair with ` + "`--save`" + ` and acts with ` + "`--as NAME`" + `.

` + "```sh" + `
eval "$(acc attach --participant codex)"      # a script, an agent
acc attach --participant ana --human --save   # a person, once
acc --as ana inbox                            # and from then on
` + "```" + `

Without a pair, or with one that is wrong, the reason is ` + "`caller_identity_unresolved`" + ` and nothing has happened. A session that was
finished or detached is a conflict, ` + "`session_finished`" + `: attach again.

## Output

Answers go to stdout, everything else to stderr. Text is for people and may change; with ` + "`--json`" + ` the whole of stdout is one
envelope, for failures too:

` + "```json" + `
{"envelope_version": 1, "ok": true, "data": {}, "meta": {}}
{"envelope_version": 1, "ok": false, "error": {"code": "usage", "reason": "…", "message": "…", "details": {}}, "meta": {}}
` + "```" + `

` + "`data`" + ` is the value of the tool. [Errors](errors.md) lists the reasons. Colour is used on a terminal only, and never with ` + "`NO_COLOR`" + `.
What peers wrote is shown whole, with control and format characters made visible as ` + "`<U+200B>`" + `.

| Exit status | Meaning |
|---|---|
| 0 | done |
| 1 | the answer could not be written; what the command did stands |
| 2 | usage: arguments, names, resources, or nobody is calling |
| 3 | timeout: the room was busy; nothing was changed |
| 4 | data: an unknown id, a damaged record, a store that cannot be read or written |
| 5 | conflict: claims of others, a reused key, a finished session |
| 6 | attention: with ` + "`--check`" + `, and from ` + "`acc doctor`" + `, something waits; the answer is there, and ` + "`meta.attention`" + ` says how many |
`

// Reference is the page about all commands, in Markdown. Everything on it but
// the preface comes from the command tree.
func Reference() []byte {
	root := (&App{}).root()
	var b strings.Builder
	b.WriteString(preface)
	b.WriteString("\n## Commands\n")
	for _, group := range root.Groups() {
		fmt.Fprintf(&b, "\n**%s**\n\n| Command | |\n|---|---|\n", group.Title)
		for _, c := range ordered(root) {
			if c.GroupID == group.ID {
				fmt.Fprintf(&b, "| [`%s`](#%s) | %s |\n", c.CommandPath(), anchor(c), inCell(c.Short))
			}
		}
	}
	b.WriteString("\n## Global options\n\n")
	tableOfOptions(&b, globalOptions(root))
	for _, c := range ordered(root) {
		describe(&b, c)
	}
	return []byte(b.String())
}

// describe is the section of a command, and of those below it.
func describe(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n```sh\n%s\n```\n", cmd.CommandPath(), inMarkdown(about(cmd)), usageLine(cmd))
	if options := localOptions(cmd); len(options) > 0 {
		b.WriteByte('\n')
		tableOfOptions(b, options)
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", strings.TrimSpace(cmd.Example))
	}
	for _, c := range ordered(cmd) {
		describe(b, c)
	}
}

func tableOfOptions(b *strings.Builder, options []*pflag.Flag) {
	b.WriteString("| Option | |\n|---|---|\n")
	for _, o := range options {
		form, text := optionForm(o)
		fmt.Fprintf(b, "| `%s` | %s |\n", inCell(form), inCell(text))
	}
}

// anchor is what GitHub makes of the heading of a command.
func anchor(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

func inCell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}

// inMarkdown keeps a text of help from being read as markup.
func inMarkdown(text string) string {
	return strings.NewReplacer("*", `\*`, "<", "&lt;").Replace(text)
}
