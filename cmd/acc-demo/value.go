package main

// value is a part of an answer. A part that is not there fails the story.
type value struct {
	story *story
	any
}

// at walks down: a string is a member, an int an element.
func (v value) at(path ...any) value {
	for _, step := range path {
		var part any
		ok := false
		switch key := step.(type) {
		case string:
			var members map[string]any
			if members, ok = v.any.(map[string]any); ok {
				part, ok = members[key]
			}
		case int:
			var elements []any
			if elements, ok = v.any.([]any); ok && key < len(elements) {
				part = elements[key]
			} else {
				ok = false
			}
		}
		if !ok {
			v.story.fail("an answer has no %v: %s", path, compact(v.any))
			return value{story: v.story}
		}
		v.any = part
	}
	return v
}

// text is the text at a path.
func (v value) text(path ...any) string {
	part := v.at(path...)
	s, ok := part.any.(string)
	if !ok {
		v.story.fail("an answer has no text at %v: %s", path, compact(part.any))
	}
	return s
}

// list is the list at a path.
func (v value) list(path ...any) []value {
	part := v.at(path...)
	elements, ok := part.any.([]any)
	if !ok {
		v.story.fail("an answer has no list at %v: %s", path, compact(part.any))
	}
	values := make([]value, len(elements))
	for i, element := range elements {
		values[i] = value{v.story, element}
	}
	return values
}
