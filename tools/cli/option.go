package cli

import (
	"strings"

	"acc/schema"
	"acc/tools"
)

// option holds the values of one field as they were typed.
type option struct {
	field  tools.Field
	repeat bool
	values []string
}

// String is the default, of which there is none: the tool knows it.
func (o *option) String() string { return "" }

// Type is what help shows for the value.
func (o *option) Type() string {
	switch {
	case o.field.Enum != nil:
		return strings.Join(o.field.Enum, "|")
	case o.field.Type == "integer":
		return "N"
	case o.field.Type == "boolean":
		return "bool"
	case strings.HasSuffix(strings.ToLower(o.field.Name), "id"), o.field.Name == "cursor":
		return "ID"
	case strings.HasPrefix(o.field.Name, "resource"):
		return "RESOURCE"
	case o.field.Name == "to":
		return "NAME"
	}
	return "TEXT"
}

// Set takes a value from the command line; of a single one the last counts.
func (o *option) Set(value string) error {
	if !o.repeat {
		o.values = nil
	}
	o.values = append(o.values, value)
	return nil
}

// add takes a positional argument, which stands beside no option.
func (o *option) add(value string) error {
	if !o.repeat && len(o.values) > 0 {
		return schema.Fail(schema.ReasonConflictingFields, "%s is given twice, as an argument and as an option. Give it once.", o.field.Name).
			With("field", o.field.Name)
	}
	o.values = append(o.values, value)
	return nil
}

// given reports whether there is a value.
func (o *option) given() bool { return len(o.values) > 0 }
