// Command recorder stands in the place of acc while a client runs its hooks:
// it passes everything on to the program acc-real beside it and keeps what went
// in and out in hooks.jsonl there. Where there is a file after-EVENT.json, it
// then runs acc with the arguments in it, once: something happens in the room
// right after that event. Clients clean the environment of their hooks, so that
// nothing can be said to the recorder but by files beside it.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

type call struct {
	Args   []string
	In     json.RawMessage
	Out    string
	Err    string
	Status int
}

func main() {
	status, err := record()
	if err != nil {
		fmt.Fprintln(os.Stderr, "recorder:", err)
		status = 1
	}
	os.Exit(status)
}

func record() (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	in, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 0, err
	}
	dir, real := filepath.Dir(self), filepath.Join(filepath.Dir(self), "acc-real"+filepath.Ext(self))
	c, err := run(dir, real, os.Args[1:], in)
	if err != nil {
		return 0, err
	}
	if err := then(dir, real, os.Args[1:]); err != nil {
		return 0, err
	}
	os.Stdout.WriteString(c.Out)
	os.Stderr.WriteString(c.Err)
	return c.Status, nil
}

func run(dir, program string, args []string, in []byte) (call, error) {
	var out, problems bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &problems
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		return call{}, err
	}
	c := call{Args: args, Out: out.String(), Err: problems.String(), Status: cmd.ProcessState.ExitCode()}
	if json.Valid(in) {
		c.In = in
	}
	return c, keep(filepath.Join(dir, "hooks.jsonl"), c)
}

// then does what is to happen after the event, if anything is.
func then(dir, program string, args []string) error {
	if len(args) < 3 || args[0] != "hook" {
		return nil
	}
	path := filepath.Join(dir, "after-"+args[2]+".json")
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	var next []string
	if err == nil {
		err = os.Remove(path)
	}
	if err == nil {
		err = json.Unmarshal(b, &next)
	}
	if err == nil {
		_, err = run(dir, program, next, nil)
	}
	return err
}

// keep adds a line with one write, so that lines of two hooks do not mix.
func keep(path string, c call) error {
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
