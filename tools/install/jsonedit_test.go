package install

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The forms in which people keep JSON: each is edited, and edited back.
var forms = map[string]string{
	"empty":          "{}",
	"empty line":     "{}\n",
	"empty open":     "{\n}\n",
	"spaced":         "{ }\n",
	"comment alone":  "{\n  // nothing yet\n}\n",
	"one line":       `{"theme": "dark"}`,
	"one line array": `{"hooks": {"Stop": [{"hooks": []}]}, "a": 1}`,
	"two spaces":     "{\n  \"theme\": \"dark\"\n}\n",
	"tabs":           "{\n\t\"theme\": \"dark\",\n\t\"hooks\": {\n\t\t\"Stop\": []\n\t}\n}\n",
	"four, CRLF":     "{\r\n    \"theme\": \"dark\",\r\n    \"mcpServers\": {\r\n        \"other\": {}\r\n    }\r\n}\r\n",
	"mark":           "\ufeff{\n  \"a\": 1\n}",
	"comments": "// top\n{\n  /* one */ \"a\": 1, // of a\n  \"hooks\": {\n    // before\n    \"Stop\": [\n      {\"x\": 1} // last\n    ] // of Stop\n" +
		"    // end\n  } // of hooks\n}\n// bottom\n",
	"trailing commas": "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"x\": 1}, // mine\n    ],\n  },\n  \"mcpServers\": {\n    \"b\": {},\n  },\n}\n",
	"comma apart":     "{\n  \"a\": 1\n  , \"hooks\": {\"Stop\": [1 , 2 /* two */ ]}\n}\n",
	"empty inside":    "{\n  \"mcpServers\": {},\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
	"escapes":         "{\n  \"\\u0061\": \"/* no // comment */\",\n  \"b\": \"}\"\n}\n",
}

func TestJSONEditsAreUndone(t *testing.T) {
	for name, text := range forms {
		t.Run(name, func(t *testing.T) { roundTrip(t, text) })
	}
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// roundTrip puts entries in and takes them out in the other order.
func roundTrip(t fataler, text string) {
	t.Helper()
	d, err := newDraft([]byte(text), member)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	note := &fileRecord{}
	entries := []entry{
		{kind: member, at: "mcpServers/acc", value: map[string]any{"command": "acc-mcp", "args": []string{"<&>"}}},
		{kind: element, at: "hooks/Stop", value: map[string]int{"acc": 1}},
		{kind: element, at: "hooks/SessionStart", value: map[string]int{"acc": 2}},
	}
	for i, e := range entries {
		entries[i].text = canonicalOf(e.value)
		if err := d.put(e, note); err != nil {
			t.Fatalf("%q: put %s: %v", text, e.at, err)
		}
		if f, err := d.look(entries[i], nil); err != nil || f.text != entries[i].text {
			t.Fatalf("%s is not in\n%s", e.at, d.bytes())
		}
	}
	kept(t, text, string(d.bytes()))
	for _, i := range []int{1, 0, 2} {
		f, err := d.look(entries[i], nil)
		if err == nil {
			err = d.take(entries[i], f, note)
		}
		if err != nil {
			t.Fatalf("%q: take: %v", text, err)
		}
	}
	if err := d.prune(note); err != nil {
		t.Fatalf("prune: %v", err)
	}
	if got := string(d.bytes()); got != text {
		t.Fatalf("it was\n%q\nand is\n%q\n%+v", text, got, note)
	}
}

// kept holds that everything but a few commas is still there, in its order.
func kept(t fataler, before, after string) {
	t.Helper()
	rest := after
	for _, r := range before {
		i := strings.IndexRune(rest, r)
		if i < 0 {
			t.Fatalf("%q is gone of\n%q\nin\n%q", r, before, after)
		}
		rest = rest[i+len(string(r)):]
	}
}

func TestJSONEditsOfAnyForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := rapid.SampledFrom([]string{"", " ", "\n", "\n  ", "\n\t", "\r\n    ", " // c\n", "\n// own\n ", "/* b */", " /* b */ "})
		var value func(depth int) string
		list := func(open, shut string, item func(i int) string) string {
			var b strings.Builder
			b.WriteString(open)
			n := rapid.IntRange(0, 3).Draw(t, "n")
			for i := range n {
				b.WriteString(space.Draw(t, "s") + item(i) + space.Draw(t, "s"))
				if i+1 < n || rapid.Bool().Draw(t, "comma") {
					b.WriteString(",")
				}
			}
			return b.String() + space.Draw(t, "s") + shut
		}
		array := func(depth int) string { return list("[", "]", func(int) string { return value(depth - 1) }) }
		object := func(depth int) string {
			return list("{", "}", func(i int) string {
				return fmt.Sprintf("%q:%s%s", "k"+string(rune('a'+i)), space.Draw(t, "s"), value(depth-1))
			})
		}
		value = func(depth int) string {
			switch kind := rapid.IntRange(0, 3).Draw(t, "kind"); {
			case depth > 0 && kind == 0:
				return array(depth)
			case depth > 0 && kind == 1:
				return object(depth)
			}
			return rapid.SampledFrom([]string{"1", `"x"`, "null", `"a // b"`, `"/*"`}).Draw(t, "leaf")
		}
		hooks := list("{", "}", func(i int) string { return fmt.Sprintf("%q:%s", []string{"Stop", "A", "B"}[i], array(1)) })
		servers := object(1)
		root := list("{", "}", func(i int) string {
			return []string{`"hooks":` + hooks, `"mcpServers":` + servers, `"z":` + value(2)}[i]
		})
		roundTrip(t, space.Draw(t, "s")+root+space.Draw(t, "s"))
	})
}

func TestJSONForm(t *testing.T) {
	d, err := parseJSON([]byte("{\r\n\t\"a\": {\r\n\t\t\"b\": 1 // b\r\n\t}\r\n}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.setMember("a/acc", map[string]int{"c": 1}); err != nil {
		t.Fatal(err)
	}
	want := "{\r\n\t\"a\": {\r\n\t\t\"b\": 1, // b\r\n\t\t\"acc\": {\r\n\t\t\t\"c\": 1\r\n\t\t}\r\n\t}\r\n}"
	if got := string(d.bytes()); got != want {
		t.Errorf("%q", got)
	}
}

func TestJSONIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "it is no valid JSON",
		"{\n  \"a\": 1\n  \"b\": 2\n}": "line 3: it is no valid JSON",
		"[]":                           "it holds no JSON object",
		"{\n\"mcpServers\": []}":       "line 2: there should be an object here",
		"{\"mcpServers\": {}, \n\"mcpServers\": {}}": "line 2: mcpServers stands twice",
	} {
		d, err := newDraft([]byte(text), member)
		if err == nil {
			err = d.put(entry{kind: member, at: "mcpServers/acc", value: 1}, &fileRecord{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	d, _ := newDraft([]byte(`{"hooks": {"Stop": {}}}`), element)
	if err := d.put(entry{kind: element, at: "hooks/Stop", value: 1}, &fileRecord{}); err == nil {
		t.Error("an element went into an object")
	}
}
