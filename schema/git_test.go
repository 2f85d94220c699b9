package schema

import (
	"strings"
	"testing"
)

func TestGitFactsValidate(t *testing.T) {
	sha1, sha256 := strings.Repeat("a1", 20), strings.Repeat("0f", 32)
	for _, tt := range []struct {
		facts GitFacts
		ok    bool
	}{
		{GitFacts{}, true},
		{GitFacts{Commit: sha1, Branch: "feature/ä b", Dirty: true}, true},
		{GitFacts{Commit: sha256}, true},
		{GitFacts{Branch: "main"}, true},
		{GitFacts{Commit: "abc"}, false},
		{GitFacts{Commit: strings.Repeat("z", 40)}, false},
		{GitFacts{Branch: "a\nb"}, false},
		{GitFacts{Branch: strings.Repeat("b", MaxLine+1)}, false},
	} {
		if err := tt.facts.Validate(); (err == nil) != tt.ok {
			t.Errorf("%+v: %v", tt.facts, err)
		}
	}
}
