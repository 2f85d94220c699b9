package drive

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// deadline is how long a client may take for one prompt. None took 60 s on a
// machine with two busy processors.
const deadline = 3 * time.Minute

// nowhere is where a client that ignores its settings looks for the network.
const nowhere = "http://127.0.0.1:9"

// Agent is a client in a project, with a home of its own that lasts from run
// to run.
type Agent struct {
	Client
	// Home and Project are absolute directories.
	Home, Project string
	// Version is what the client says of itself.
	Version string

	installed string // the folder that npm installed it in
}

// Run is what became of one prompt.
type Run struct {
	Code int
	Took time.Duration

	// Output is what the client printed on both streams.
	Output string
}

// Start gives the agent a prompt, in a new session, and waits until it is done.
// Its model listens at url. It fails when the client cannot be started.
func (a *Agent) Start(url, prompt string) (Run, error) {
	return a.run(run{agent: a, url: url, prompt: prompt})
}

// Resume gives the agent a prompt in its last session.
func (a *Agent) Resume(url, prompt string) (Run, error) {
	return a.run(run{agent: a, url: url, prompt: prompt, resume: true})
}

func (a *Agent) run(r run) (Run, error) {
	began := time.Now()
	output, err := a.execute(a.command(r), a.env(r))
	done := Run{Took: time.Since(began), Output: output}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		done.Code, err = exit.ExitCode(), nil
	}
	return done, err
}

func (a *Agent) execute(args, env []string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.path(), args...)
	cmd.Dir = a.Project
	cmd.Env = append(a.environment(), env...)
	cmd.WaitDelay = 5 * time.Second
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Run()
	return output.String(), err
}

func (a *Agent) path() string {
	name := a.program
	if runtime.GOOS == "windows" {
		name += ".cmd"
	}
	return filepath.Join(a.installed, "node_modules", ".bin", name)
}

// environment is what a client gets besides its own variables: nothing of the
// person who runs the tests, and no way to the network but loopback.
func (a *Agent) environment() []string {
	path := os.Getenv("PATH")
	if a.ownNode {
		path = filepath.Join(a.installed, "node_modules", "node", "bin") + string(os.PathListSeparator) + path
	}
	env := []string{
		"PATH=" + path, "HOME=" + a.Home, "USERPROFILE=" + a.Home, "TERM=xterm-256color", "LANG=C.UTF-8", "DO_NOT_TRACK=1",
		"HTTP_PROXY=" + nowhere, "HTTPS_PROXY=" + nowhere, "NO_PROXY=127.0.0.1,localhost", "npm_config_offline=true",
	}
	for _, name := range []string{"SYSTEMROOT", "TMPDIR", "TEMP"} {
		if value, set := os.LookupEnv(name); set {
			env = append(env, name+"="+value)
		}
	}
	return env
}
