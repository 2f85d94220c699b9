package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acc/tools/delivery/client"
)

// write is a package variable because a flag must exist before flags are parsed.
var write = flag.Bool("evidence", false, "write what was observed of the clients in place of comparing with it")

var evidenceFile = filepath.Join("..", "..", "..", "tools", "delivery", "client", "capabilities.json")

// TestEvidence watches each client and holds what it does against what is
// recorded: acc promises no more of a client than was seen.
func TestEvidence(t *testing.T) {
	var observed []client.Tested
	for _, installed := range wanted(t) {
		t.Run(installed.ID+"-"+installed.Version, func(t *testing.T) {
			got := observe(t, installed)
			observed = append(observed, got)
			if *write {
				return
			}
			if diff := cmp.Diff(recorded(got.Client, got.Version), got); diff != "" {
				t.Errorf("not what is recorded (-recorded +observed); make e2e WRITE=1 records it:\n%s", diff)
			}
		})
	}
	if *write && !t.Failed() {
		record(t, observed)
	}
}

func recorded(id, version string) client.Tested {
	for _, known := range client.Evidence() {
		if known.Client == id && known.Version == version {
			return known
		}
	}
	return client.Tested{}
}

// record keeps what was seen of other clients and versions, in the order of
// the clients and then the versions.
func record(t *testing.T, observed []client.Tested) {
	t.Helper()
	all := slices.DeleteFunc(client.Evidence(), func(old client.Tested) bool {
		return slices.ContainsFunc(observed, func(o client.Tested) bool { return o.Client == old.Client && o.Version == old.Version })
	})
	all = append(all, observed...)
	slices.SortFunc(all, func(a, b client.Tested) int {
		if a.Client != b.Client {
			return slices.Index(client.IDs(), a.Client) - slices.Index(client.IDs(), b.Client)
		}
		return strings.Compare(a.Version, b.Version)
	})
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", "  ")
	if err := enc.Encode(map[string]any{"clients": all}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(evidenceFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
