package client

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPatched(t *testing.T) {
	const patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: sub/moved.txt\n@@\n-one\n+*** Add File: no.txt\n" +
		"*** Delete File: old.txt\n*** Add File: /abs/new file.txt\n+x\n*** End Patch\n"
	all := []string{"a.txt", "sub/moved.txt", "old.txt", "/abs/new file.txt"}
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"a patch":             {patch, all},
		"a here document":     {"apply_patch <<'EOF'\n" + patch + "EOF\n", all},
		"an argument":         {"apply_patch '" + patch + "'", all},
		"from another folder": {"cd src && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: b\n*** Add File: /c\n*** End Patch\nEOF", []string{"src/b", "/c"}},
		"quoted folder":       {"cd 'my src' && apply_patch <<EOF\n*** Begin Patch\n*** Add File: b\n*** End Patch\nEOF", []string{"my src/b"}},
		"CRLF":                {"*** Begin Patch\r\n*** Add File: b\r\n+x\r\n*** End Patch\r\n", []string{"b"}},
		"twice":               {"*** Begin Patch\n*** Add File: b\n*** Update File: b\n", []string{"b"}},
		"no name":             {"*** Begin Patch\n*** Add File: \n", nil},
		"another command":     {"grep '*** Add File: x' notes", nil},
		"nothing":             {"", nil},
	} {
		if diff := cmp.Diff(test.want, patched(test.text)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
