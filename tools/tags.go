package tools

import (
	"strings"
	"unicode/utf8"
)

// maxFieldDescription is in characters; some clients cut or drop longer ones.
const maxFieldDescription = 300

// applyTags reads the tags that the reflector does not know, and refuses every
// option that it would drop in silence: a misspelt keyword, one of another
// type, the rest of a description behind a bare comma.
func (g goField) applyTags(f Field) Field {
	f.Example = g.Tag.Get("example")
	switch mark := g.Tag.Get("acc"); {
	case mark == "text" && (f.Type == "string" || f.Type == "array"):
		f.Text = true
	case mark != "":
		g.refuse(`the tag acc:%q means nothing on type %s; only "text" on a string or a list does`, mark, f.Type)
	}
	if _, found := g.Tag.Lookup("jsonschema_extras"); found {
		g.refuse("jsonschema_extras are not published")
	}
	for _, option := range g.options() {
		keyword, value, _ := strings.Cut(option, "=")
		if option == "required" {
			f.Required = true
		} else if value == "" || !f.has(keyword) {
			g.refuse("the option %q is not permitted or has no effect on type %s", option, f.Type)
		}
	}
	g.checkField(f)
	return f
}

// options are the parts of the jsonschema tag; a comma within one is escaped.
func (g goField) options() []string {
	tag := g.Tag.Get("jsonschema")
	if tag == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(tag, `\,`, "\x00"), ",")
}

// has reports whether a keyword of the tag shows in the declaration. The
// reflector moves some keywords of a list to its items.
func (f Field) has(keyword string) bool {
	item := f
	if f.Items != nil {
		item = *f.Items
	}
	switch keyword {
	case "description":
		return true
	case "enum":
		return item.Enum != nil
	case "maxLength":
		return item.MaxLength != nil
	case "minimum":
		return f.Minimum != nil
	case "maximum":
		return f.Maximum != nil
	case "minItems":
		return f.MinItems != nil
	case "maxItems":
		return f.MaxItems != nil
	}
	return false
}

func (g goField) checkField(f Field) {
	length := utf8.RuneCountInString(f.Description)
	switch {
	case strings.TrimSpace(f.Description) == "":
		g.refuse("the description is missing")
	case length > maxFieldDescription:
		g.refuse("the description has %d characters; at most %d are allowed", length, maxFieldDescription)
	case crossed(f.Minimum, f.Maximum) || crossed(f.MinItems, f.MaxItems):
		g.refuse("the lower bound is above the upper bound")
	}
}

func crossed(low, high *int) bool { return low != nil && high != nil && *low > *high }
