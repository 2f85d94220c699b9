package install

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"runtime"

	"acc/tools/delivery/client"
)

// StateDir is where programs keep what is neither configuration nor cache:
// XDG_STATE_HOME or ~/.local/state on most systems.
func StateDir(env func(string) string, home string) string {
	switch runtime.GOOS {
	case "windows":
		if dir := env("LOCALAPPDATA"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "acc")
		}
		return filepath.Join(home, "AppData", "Local", "acc")
	case "darwin":
		if env("XDG_STATE_HOME") == "" {
			return filepath.Join(home, "Library", "Application Support", "acc")
		}
	}
	if dir := env("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "acc")
	}
	return filepath.Join(home, ".local", "state", "acc")
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// ledgerPath names the ledger of a root for people, and by its hash for us.
func ledgerPath(stateDir string, scope client.Scope, root string) string {
	name := string(scope)
	if scope == client.Project {
		name = unsafe.ReplaceAllString(filepath.Base(root), "-") + "-" + hash(root)[:12]
	}
	return filepath.Join(stateDir, "installs", name+".json")
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
