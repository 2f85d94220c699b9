package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"acc/schema"
	"acc/tools"
)

// usageError is what cobra says of the arguments, as a failure of ours.
func usageError(cmd *cobra.Command, err error) error {
	var known *schema.Error
	if errors.As(err, &known) {
		return known
	}
	return schema.Fail(schema.ReasonInvalidArguments, "%s: %s.", cmd.CommandPath(), visible(err.Error()))
}

// flagError says what is wrong with an option, and which one may be meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown.GetSpecifiedName())
	case errors.As(err, &missing):
		return schema.Fail(schema.ReasonInvalidArguments, "--%s needs a value.", missing.GetSpecifiedName()).
			With("field", missing.GetSpecifiedName())
	case errors.As(err, &invalid):
		return schema.Fail(schema.ReasonInvalidArguments, "--%s does not take %q.", invalid.GetFlag().Name, visible(invalid.GetValue())).
			With("field", invalid.GetFlag().Name)
	}
	return usageError(cmd, err)
}

func unknownFlag(cmd *cobra.Command, name string) error {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	hint := ""
	meant := tools.CloseName(name, names)
	if meant != "" {
		hint = fmt.Sprintf(" Did you mean --%s?", meant)
	}
	e := schema.Fail(schema.ReasonUnknownField, "%s has no option --%s.%s", cmd.CommandPath(), visible(name), hint).With("field", name)
	if meant != "" {
		e.With("didYouMean", meant)
	}
	return e
}

// knownCommand refuses the name of a command that there is not.
func (a *App) knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return unknownCommand(root, args[0])
}

func unknownCommand(parent *cobra.Command, name string) error {
	var names []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	hint := fmt.Sprintf("%s help lists them.", parent.Root().Name())
	meant := tools.CloseName(name, names)
	if meant != "" {
		hint = fmt.Sprintf("Did you mean %s %s?", parent.CommandPath(), meant)
	}
	e := schema.Fail(schema.ReasonInvalidArguments, "there is no command %q. %s", visible(name), hint).With("command", name)
	if meant != "" {
		e.With("didYouMean", meant)
	}
	return e
}

// arguments holds a command to a number of positional arguments, named as in
// its usage line; a negative most means any number.
func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		_, form, _ := strings.Cut(cmd.UseLine(), " ")
		switch {
		case len(args) < least:
			return schema.Fail(schema.ReasonMissingField, "an argument is missing. Usage: acc %s", form)
		case most >= 0 && len(args) > most:
			return schema.Fail(schema.ReasonInvalidArguments, "%q is one argument too many. Usage: acc %s", visible(args[most]), form)
		}
		return nil
	}
}

// exclude refuses two options that were given together.
func exclude(one, other string) error {
	return schema.Fail(schema.ReasonConflictingFields, "%s and %s exclude each other. Give one of them.", one, other)
}
