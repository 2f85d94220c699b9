package main_test

import (
	"fmt"
	"regexp"
	"strings"
)

// masks replace what differs from run to run. Ids are numbered in the order
// in which they appear, so that a reader can follow them.
var (
	idMask   = regexp.MustCompile(`(message|session|claim|workspace|auto)_[0-9a-hjkmnp-tv-z]{26}`)
	flatMask = []struct {
		pattern *regexp.Regexp
		with    string
	}{
		{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`), "TIME"},
		{regexp.MustCompile(`messages/\d{4}-\d\d-\d\d/`), "messages/DAY/"},
		{regexp.MustCompile(`"commit": ?"[0-9a-f]{40}"`), `"commit": "COMMIT"`},
		{regexp.MustCompile(`"generation": ?"[0-9a-f]{32}"`), `"generation": "GENERATION"`},
	}
	versionMask = regexp.MustCompile(`("name":\s*"acc",\s*"version":\s*)"[^"]*"`)
)

// masker puts placeholders into everything that one story produced.
type masker struct {
	root  string
	ids   map[string]string
	count map[string]int
}

func newMasker(root string) *masker {
	return &masker{root: root, ids: map[string]string{}, count: map[string]int{}}
}

func (m *masker) mask(text string) string {
	text = strings.ReplaceAll(text, m.root, "/WORKSPACE")
	for _, flat := range flatMask {
		text = flat.pattern.ReplaceAllLiteralString(text, flat.with)
	}
	text = versionMask.ReplaceAllString(text, `$1"VERSION"`)
	return idMask.ReplaceAllStringFunc(text, m.id)
}

func (m *masker) id(id string) string {
	if m.ids[id] == "" {
		kind, _, _ := strings.Cut(id, "_")
		m.count[kind]++
		m.ids[id] = fmt.Sprintf("%s_%d", kind, m.count[kind])
	}
	return m.ids[id]
}
