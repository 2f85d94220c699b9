package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpText is the page of a command for a terminal.
func helpText(cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString(about(cmd) + "\n\nUsage:\n  " + usageLine(cmd) + "\n")
	if cmd.Example != "" {
		b.WriteString("\nExamples:\n" + indent(cmd.Example))
	}
	for _, group := range cmd.Groups() {
		helpGroup(&b, cmd, group)
	}
	helpOptions(&b, "Options", localOptions(cmd))
	helpOptions(&b, "Global options", globalOptions(cmd))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%s COMMAND --help says more of a command.\n", cmd.CommandPath())
	} else if cmd.HasParent() {
		b.WriteString("\nGlobal options: --json --cwd --session --generation --as (see acc help)\n")
	}
	return b.String()
}

func about(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}

// usageLine is the form of a command. One that does something of its own, and
// has others below it, says so in its Use.
func usageLine(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() && !strings.Contains(cmd.Use, " ") {
		return cmd.CommandPath() + " COMMAND [options]"
	}
	return cmd.UseLine()
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}

func helpGroup(b *strings.Builder, cmd *cobra.Command, group *cobra.Group) {
	fmt.Fprintf(b, "\n%s:\n", group.Title)
	for _, c := range ordered(cmd) {
		if c.GroupID == group.ID {
			fmt.Fprintf(b, "  %-11s %s\n", c.Name(), c.Short)
		}
	}
}

func helpOptions(b *strings.Builder, title string, options []*pflag.Flag) {
	if len(options) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	for _, o := range options {
		form, text := optionForm(o)
		if len(form) > 26 {
			fmt.Fprintf(b, "  %s\n  %-26s  %s\n", form, "", text)
			continue
		}
		fmt.Fprintf(b, "  %-26s  %s\n", form, text)
	}
}

// optionForm is an option with its value, and what is said of it.
func optionForm(f *pflag.Flag) (form, text string) {
	value, text := pflag.UnquoteUsage(f)
	form = "--" + f.Name
	if value != "" {
		form += " " + value
	}
	return form, text
}

// localOptions are the options of the command itself, in their order there.
func localOptions(cmd *cobra.Command) []*pflag.Flag {
	if !cmd.HasParent() {
		return nil
	}
	return listed(cmd.LocalNonPersistentFlags())
}

// globalOptions are those of every command, shown once: with the program.
func globalOptions(cmd *cobra.Command) []*pflag.Flag {
	if cmd.HasParent() {
		return nil
	}
	return listed(cmd.PersistentFlags())
}

func listed(set *pflag.FlagSet) []*pflag.Flag {
	var flags []*pflag.Flag
	set.SortFlags = false
	set.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			flags = append(flags, f)
		}
	})
	return flags
}
