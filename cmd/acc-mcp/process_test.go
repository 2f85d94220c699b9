package main_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Bounds of waiting. The contract says one second for the end of a process;
// the rest is slack for a machine that is busy with other tests.
const (
	soon    = 3 * time.Second
	patient = 60 * time.Second
)

// launch says how a server is started. Nothing of the test's own environment
// reaches it.
type launch struct {
	participant string // ACC_MCP_PARTICIPANT, unset when ""
	workspace   string // ACC_MCP_WORKSPACE, unset when ""
	dir         string // where it is started; a fresh directory when ""
	home        string // HOME; a fresh directory when ""
	env         []string
	args        []string
	stdin       *os.File // instead of a pipe
	long        bool     // stdout is audited as it comes, not kept, and few lines wait to be read
}

// pending is how many lines of stdout may wait to be read.
func (l launch) pending() int {
	if l.long {
		return 1 << 6
	}
	return 1 << 16
}

// server is one running acc-mcp.
type server struct {
	t      testing.TB
	launch launch
	cmd    *exec.Cmd
	stdin  io.WriteCloser // nil when launch.stdin is set
	stdout io.ReadCloser
	lines  chan string // of stdout, closed at its end
	exited chan struct{}
	lastID int

	mu     sync.Mutex
	log    bytes.Buffer // stderr
	output bytes.Buffer // stdout
}

// start runs the program. At the end of the test it is ended, and everything
// that it said is audited.
func start(t testing.TB, l launch) *server {
	t.Helper()
	s := &server{t: t, launch: l, lines: make(chan string, l.pending()), exited: make(chan struct{})}
	s.cmd = exec.Command(programPath, l.args...)
	s.cmd.Dir, s.cmd.Env, s.cmd.Stderr = l.dir, l.environment(t), logWriter{s}
	if l.dir == "" {
		s.cmd.Dir = t.TempDir()
	}
	var err error
	if l.stdin != nil {
		s.cmd.Stdin = l.stdin
	} else if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if s.stdout, err = s.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.read()
	t.Cleanup(s.finish)
	return s
}

func (l launch) environment(t testing.TB) []string {
	home := l.home
	if home == "" {
		home = t.TempDir()
	}
	env := append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "USERPROFILE=" + home,
		"SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
		"GORACE=atexit_sleep_ms=0", // a program built for races sleeps at its end
	}, l.env...)
	if l.participant != "" {
		env = append(env, "ACC_MCP_PARTICIPANT="+l.participant)
	}
	if l.workspace != "" {
		env = append(env, "ACC_MCP_WORKSPACE="+l.workspace)
	}
	return env
}

// read takes stdout apart until it ends, then waits for the process.
func (s *server) read() {
	defer close(s.exited)
	in := bufio.NewReader(s.stdout)
	for {
		line, err := in.ReadString('\n')
		s.keep(line)
		if line != "" {
			s.lines <- strings.TrimSuffix(line, "\n")
		}
		if err != nil {
			break
		}
	}
	close(s.lines)
	_ = s.cmd.Wait() // the state says how it ended
}

// keep has a line of stdout audited, now or at the end.
func (s *server) keep(line string) {
	switch {
	case !s.launch.long:
		s.mu.Lock()
		s.output.WriteString(line)
		s.mu.Unlock()
	case line != "":
		s.auditLine(line)
	}
}

type logWriter struct{ s *server }

func (w logWriter) Write(p []byte) (int, error) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	return w.s.log.Write(p)
}

func (s *server) stderr() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// send writes lines in one piece. What the server does not take any more is lost.
func (s *server) send(lines ...string) { s.raw(strings.Join(lines, "\n") + "\n") }

func (s *server) raw(data string) { _, _ = io.WriteString(s.stdin, data) }

// next is the next line of stdout.
func (s *server) next() string {
	s.t.Helper()
	line, open := s.nextOrEnd()
	if !open {
		s.t.Fatalf("stdout ended; stderr:\n%s", s.stderr())
	}
	return line
}

func (s *server) nextOrEnd() (line string, open bool) {
	s.t.Helper()
	select {
	case line, open = <-s.lines:
		return line, open
	case <-time.After(patient):
		s.t.Fatalf("no line within %v; stderr:\n%s", patient, s.stderr())
		return "", false
	}
}

// rest is every line until stdout ends.
func (s *server) rest() (lines []string) {
	s.t.Helper()
	for {
		line, open := s.nextOrEnd()
		if !open {
			return lines
		}
		lines = append(lines, line)
	}
}

// wait is the exit status, or a failure when the process is not gone within limit.
func (s *server) wait(limit time.Duration) int {
	s.t.Helper()
	select {
	case <-s.exited:
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(limit):
		s.t.Fatalf("the process still runs after %v; stderr:\n%s", limit, s.stderr())
		return -1
	}
}

// end closes stdin and wants a clean end.
func (s *server) end() {
	s.t.Helper()
	s.stdin.Close()
	if code := s.wait(soon); code != 0 {
		s.t.Errorf("exit status %d, want 0; stderr:\n%s", code, s.stderr())
	}
}

// kill ends the process as kill -9 does.
func (s *server) kill() {
	s.t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	s.wait(patient)
}

func (s *server) finish() {
	if s.stdin != nil {
		s.stdin.Close()
	}
	select {
	case <-s.exited:
	case <-time.After(soon):
		s.t.Errorf("the process did not end after its stdin; stderr:\n%s", s.stderr())
		_ = s.cmd.Process.Kill()
		<-s.exited
	}
	s.audit()
}
