package drive

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestFind(t *testing.T) {
	clients := t.TempDir()
	if _, err := Find(clients, "codex"); !errors.Is(err, ErrMissing) {
		t.Errorf("Find says %v of a client that is not there, want ErrMissing", err)
	}
	if _, err := Find(clients, "other"); err == nil || errors.Is(err, ErrMissing) {
		t.Errorf("Find says %v of a client that nobody knows", err)
	}
	manifest := filepath.Join(clients, "claude-latest", "node_modules", "@anthropic-ai", "claude-code", "package.json")
	if err := os.MkdirAll(filepath.Dir(manifest), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest, []byte(`{"name": "x", "version": "2.1.332"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	found, err := Find(clients, "claude-latest")
	if err != nil || found.ID != "claude" || found.Version != "2.1.332" {
		t.Errorf("Find says %s %s, %v", found.ID, found.Version, err)
	}
}

func TestAHomeHoldsWhatAPersonConfigured(t *testing.T) {
	for _, c := range Clients() {
		a, err := Installed{Client: c, Folder: t.TempDir()}.In(t.TempDir(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range c.settings {
			got, err := os.ReadFile(filepath.Join(a.Home, name))
			if err != nil || string(got) != want {
				t.Errorf("%s: %s holds %q, %v", c.Name, name, got, err)
			}
		}
	}
}
