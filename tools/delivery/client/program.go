package client

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// versionWait is how long a program may take to say its version.
const versionWait = 4 * time.Second

var versionPattern = regexp.MustCompile(`\b\d+\.\d+(\.\d+)?\b`)

// ProgramVersion is the version of a client's program, "" when it cannot be
// found out. An npm package says it beside the program; any other is asked.
func ProgramVersion(ctx context.Context, path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	for dir, n := filepath.Dir(real), 0; n < 3; dir, n = filepath.Dir(dir), n+1 {
		var pack struct{ Version string }
		data, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err == nil && json.Unmarshal(data, &pack) == nil && pack.Version != "" {
			return pack.Version
		}
	}
	ctx, cancel := context.WithTimeout(ctx, versionWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return string(versionPattern.Find(out))
}
