package cli

import (
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"acc/tools"
	"acc/tools/coordination"
)

// sugar is where a command is handier than its tool.
type sugar struct {
	hidden []string          // fields that get no option of their own
	names  map[string]string // field → option, where kebab-case is not the best
	pairs  map[string]string // field of several → field of one: one repeatable option for both
	about  map[string]string // field → what help says, where the tool speaks of JSON
}

// fields are the options of a command that mirrors a tool, one for each field
// that the tool declares.
type fields struct {
	cmd   *cobra.Command
	sugar sugar
	list  []*option
}

// mirror declares the options of cmd from the fields of a tool.
func (a *App) mirror(cmd *cobra.Command, tool string, s sugar) *fields {
	cmd.Flags().SortFlags = false
	f := &fields{cmd: cmd, sugar: s}
	for _, field := range a.inputOf(tool) {
		if _, several := s.pairs[field.Name]; several || slices.Contains(s.hidden, field.Name) {
			continue
		}
		f.declare(field)
	}
	return f
}

// inputOf are the fields that the registry declares for a tool.
func (a *App) inputOf(tool string) []tools.Field {
	if a.declared.Tools == nil {
		a.declared.Add(coordination.Tools(nil), nil)
	}
	t, ok := a.declared.Tool(tool)
	if !ok {
		panic("cli: no tool " + tool)
	}
	return t.Input.Fields()
}

func (f *fields) declare(field tools.Field) {
	o := &option{field: field, repeat: field.Type == "array" || f.plural(field.Name) != ""}
	f.list = append(f.list, o)
	about := field.Description
	if text, ok := f.sugar.about[field.Name]; ok {
		about = text
	}
	if o.repeat {
		about = strings.TrimSuffix(about, ".") + " (repeatable)"
	}
	flag := f.cmd.Flags().VarPF(o, f.flagName(field.Name), "", inHelp(about))
	if field.Type == "boolean" {
		flag.NoOptDefVal = "true"
	}
	if field.Enum != nil {
		_ = f.cmd.RegisterFlagCompletionFunc(flag.Name, cobra.FixedCompletions(field.Enum, cobra.ShellCompDirectiveNoFileComp))
	}
}

// plural is the field that takes several values of a field of one.
func (f *fields) plural(one string) string {
	for several, single := range f.sugar.pairs {
		if single == one {
			return several
		}
	}
	return ""
}

func (f *fields) flagName(field string) string {
	if name, ok := f.sugar.names[field]; ok {
		return name
	}
	return kebab(field)
}

// get finds the option of a field.
func (f *fields) get(field string) *option {
	for _, o := range f.list {
		if o.field.Name == field {
			return o
		}
	}
	panic("cli: no option for " + field)
}

// add gives a field values that came as positional arguments.
func (f *fields) add(field string, values ...string) error {
	for _, value := range values {
		if err := f.get(field).add(value); err != nil {
			return err
		}
	}
	return nil
}

// arguments are the fields that were given, as the tool takes them. Numbers
// and booleans stay text, which the tool reads or refuses by its own rules.
func (f *fields) arguments() map[string]any {
	in := map[string]any{}
	for _, o := range f.list {
		several := f.plural(o.field.Name)
		switch {
		case len(o.values) == 0:
		case o.field.Type == "array":
			in[o.field.Name] = o.values
		case several != "" && len(o.values) > 1:
			in[several] = o.values
		default:
			in[o.field.Name] = o.values[0]
		}
	}
	return in
}

// kebab is a field name as an option: clientMessageId is client-message-id.
func kebab(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// inHelp is a text of the registry as a line of help: it starts small, ends
// without a stop, and names commands for tools.
func inHelp(text string) string {
	text = strings.TrimSuffix(strings.ReplaceAll(inCommands(text), "`", "'"), ".")
	if len(text) > 1 && unicode.IsLower(rune(text[1])) {
		text = strings.ToLower(text[:1]) + text[1:]
	}
	return text
}
