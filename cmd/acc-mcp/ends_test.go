package main_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An answer that is under way when stdin ends is delivered.
func TestEndOfStdin(t *testing.T) {
	root := repository(t)
	s := join(t, "alice", root)
	var lines []string
	for i := range 10 {
		lines = append(lines, callLine(fmt.Sprint(i+1), "acc_message", args{"to": []string{}, "subject": "s", "body": "b"}))
	}
	s.send(lines...)
	s.stdin.Close()
	if got := s.rest(); len(got) != 10 {
		t.Errorf("%d answers, want 10", len(got))
	}
	if code := s.wait(soon); code != 0 {
		t.Errorf("exit status %d", code)
	}
	if got := names(t, root, ".acc/messages/*/message_*.note.json"); len(got) != 10 {
		t.Errorf("%d messages, want 10", len(got))
	}
}

func TestThreeRequestsInOnePrintf(t *testing.T) {
	s := start(t, launch{participant: "alice", workspace: repository(t)})
	s.raw(initializeLine(rev2506) + "\n" + initializedLine + "\n" + request("1", "tools/list", "") + "\n" +
		callLine("2", "acc_status", args{}) + "\n")
	s.stdin.Close()
	if got := s.rest(); len(got) != 3 {
		t.Errorf("%d answers, want 3: %q", len(got), got)
	}
	if code := s.wait(soon); code != 0 {
		t.Errorf("exit status %d", code)
	}
}

func TestEmptyStdin(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	root := repository(t)
	before := tree(t, root)
	s := start(t, launch{participant: "alice", workspace: root, stdin: null})
	if code := s.wait(soon); code != 0 || s.stderr() != "" || len(s.rest()) > 0 {
		t.Errorf("exit status %d, stderr %q", code, s.stderr())
	}
	unchanged(t, root, before)
}

// Stdin may end in the middle of a line; half a request is none.
func TestEndInTheMiddleOfALine(t *testing.T) {
	root := repository(t)
	s := join(t, "alice", root)
	s.raw(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"acc_message"`)
	s.end()
	if rooms(t, root) != nil {
		t.Error("half a request made a room")
	}
}

func TestSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String()+" at rest", func(t *testing.T) {
			t.Parallel()
			s := join(t, "alice", repository(t))
			s.call("acc_status", nil)
			_ = s.cmd.Process.Signal(signal)
			if code := s.wait(soon); code != 0 || s.stderr() != "" {
				t.Errorf("exit status %d, stderr %q", code, s.stderr())
			}
		})
		t.Run(signal.String()+" at work", func(t *testing.T) {
			t.Parallel()
			signalAtWork(t, signal)
		})
	}
}

// signalAtWork interrupts a row of writes: each one that happened was answered.
func signalAtWork(t *testing.T, signal syscall.Signal) {
	root := repository(t)
	s := join(t, "alice", root)
	var lines []string
	for i := range 50 {
		lines = append(lines, callLine(fmt.Sprint(i+1), "acc_message", args{"to": []string{}, "subject": "s", "body": "b"}))
	}
	s.send(lines...)
	s.next()
	_ = s.cmd.Process.Signal(signal)
	sent := 1
	for _, line := range s.rest() {
		if strings.Contains(line, `"sentAt"`) {
			sent++
		}
	}
	if code := s.wait(soon); code != 0 {
		t.Errorf("exit status %d, stderr %q", code, s.stderr())
	}
	if stored := len(names(t, root, ".acc/messages/*/message_*.note.json")); stored != sent {
		t.Errorf("%d messages were stored and %d answered", stored, sent)
	}
}

// A client that breaks the pipe cannot be served any more, even while it keeps
// stdin open.
func TestBrokenStdout(t *testing.T) {
	s := join(t, "alice", repository(t))
	s.call("acc_status", nil)
	s.stdout.Close()
	s.send(request("9", "ping", ""), request("10", "ping", ""))
	s.wait(soon)
}

// beClient is a client that starts a server, tells its parent when the server
// has answered, and stays until it is killed.
func beClient(program string) {
	cmd := exec.Command(program)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		panic(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	fmt.Fprintln(stdin, initializeLine(rev2511))
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	fmt.Print(line)
	select {}
}

// The server of a killed client goes away. Both hold the write end of one
// pipe as stderr: it ends when neither is left.
func TestClientKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	client := exec.Command(self)
	client.Dir = repository(t)
	client.Env = append(launch{participant: "alice"}.environment(t), roleKey+"="+programPath)
	stdout, _ := client.StdoutPipe()
	alive, err := client.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatalf("the server did not answer: %v", err)
	}
	if err := client.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan []byte, 1)
	go func() {
		said, _ := io.ReadAll(alive)
		gone <- said
	}()
	select {
	case said := <-gone:
		if len(said) > 0 {
			t.Errorf("stderr: %s", said)
		}
	case <-time.After(soon):
		t.Error("the server outlives its client")
	}
	_ = client.Wait()
}
