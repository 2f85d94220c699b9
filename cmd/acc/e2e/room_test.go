package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"acc/golden/e2e/drive"
)

// room is a repository with alice in it, and agents to come.
type room struct {
	t       *testing.T
	bin     string // programs of its own: the recorder takes the place of one
	project string
	scratch string
}

func newRoom(t *testing.T) *room {
	t.Helper()
	scratch, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &room{t: t, bin: filepath.Join(scratch, "bin"), project: filepath.Join(scratch, "project"), scratch: scratch}
	if err := os.Mkdir(r.bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"acc", "acc-mcp"} {
		copyFile(t, filepath.Join(build(t), program(name)), filepath.Join(r.bin, program(name)))
	}
	if out, err := exec.Command("git", "init", "-q", "-b", "main", r.project).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	r.acc("attach", "--participant", "alice", "--save")
	return r
}

// acc runs a command of acc in the project and returns its output. A failure
// does not end the test: a step of the model may run it, on another goroutine.
func (r *room) acc(args ...string) string {
	r.t.Helper()
	cmd := exec.Command(filepath.Join(build(r.t), program("acc")), args...)
	cmd.Dir = r.project
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Errorf("acc %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// read decodes what a command answers with --json.
func (r *room) read(into any, args ...string) {
	r.t.Helper()
	envelope := struct{ Data any }{into}
	if err := json.Unmarshal([]byte(r.acc(append([]string{"--json"}, args...)...)), &envelope); err != nil {
		r.t.Fatal(err)
	}
}

// alice runs a command as alice.
func (r *room) alice(args ...string) {
	r.t.Helper()
	r.acc(append([]string{"--as", "alice"}, args...)...)
}

// agent is the client, with acc installed in it for a participant and a scope.
func (r *room) agent(installed drive.Installed, participant, scope string) agent {
	r.t.Helper()
	a, err := installed.In(r.project, filepath.Join(r.scratch, participant))
	if err != nil {
		r.t.Fatal(err)
	}
	a.Install(r.t, r.bin, participant, scope)
	return agent{a, r}
}

// path is where a file of the project lies.
func (r *room) path(name string) string { return filepath.Join(r.project, name) }

// file is what a file of the project holds, "" when there is none.
func (r *room) file(name string) string {
	r.t.Helper()
	b, err := os.ReadFile(r.path(name))
	if err != nil && !os.IsNotExist(err) {
		r.t.Fatal(err)
	}
	return string(b)
}

// receipt is how far the message got with a participant: the word in the name
// of its file in the inbox.
func (r *room) receipt(participant, message string) string {
	r.t.Helper()
	found, err := filepath.Glob(filepath.Join(r.project, ".acc", "inbox", participant, message+".*.json"))
	if err != nil || len(found) != 1 {
		return ""
	}
	words := strings.Split(filepath.Base(found[0]), ".")
	return words[len(words)-2]
}

// oneSession fails the test unless the participant has exactly one open
// session: the hooks and the server of a client are one agent.
func (r *room) oneSession(participant string) {
	r.t.Helper()
	found, err := filepath.Glob(filepath.Join(r.project, ".acc", "sessions", "session_*.json"))
	if err != nil {
		r.t.Fatal(err)
	}
	open := 0
	for _, path := range found {
		var s struct{ ParticipantID, State string }
		b, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(b, &s)
		}
		if err != nil {
			r.t.Fatal(err)
		}
		if s.ParticipantID == participant && s.State == "open" {
			open++
		}
	}
	if open != 1 {
		r.t.Errorf("%s has %d open sessions, want one", participant, open)
	}
}
