package drive

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// Install has acc write the client's configuration for a participant, as a
// person would: with the scope "project" into the project, with "user" into the
// home of the agent. The programs lie in the directory bin.
func (a *Agent) Install(t testing.TB, bin, participant, scope string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "acc"), "install", "--client", a.ID, "--participant", participant, "--scope", scope)
	cmd.Dir = a.Project
	cmd.Env = a.environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("acc install --client %s: %v\n%s", a.ID, err, out)
	}
}
