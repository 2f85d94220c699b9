package main

import (
	"encoding/json"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the program a command of the scripts, in this binary.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"acc": main})
}

// TestScripts runs testdata/script. Beside what testscript knows, a script has
//
//	exits N acc …      runs a command that must end with exit status N
//	as NAME [OPTION…]  attaches and acts as that session from then on
//	nobody             acts as nobody from then on
//	get VAR a.b.0.c    takes a value out of the JSON on stdout
//	is a.b.0.c VALUE   holds a value in the JSON on stdout to a text
//	hold, letgo        takes the lock of the room in .acc, and gives it back
//	await FILE PATTERN waits until a file holds a match
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
			env.Values[heldKey{}] = &held{}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "as": as, "nobody": nobody, "get": get, "is": is, "await": await, "hold": hold, "letgo": letGo,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := run(ts, args[1:]); got != want {
		ts.Fatalf("exit status %d, not %d", got, want)
	}
}

// run returns the exit status of a command.
func run(ts *testscript.TestScript, args []string) int {
	var status *exec.ExitError
	switch err := ts.Exec(args[0], args[1:]...); {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return status.ExitCode()
	default:
		ts.Fatalf("%s: %v", args[0], err)
		return -1
	}
}

func as(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: as NAME [options...]")
	}
	nobody(ts, false, nil)
	ts.Check(ts.Exec("acc", append([]string{"attach", "--json", "--participant"}, args...)...))
	ts.Setenv("ACC_SESSION", value(ts, "data.sessionId"))
	ts.Setenv("ACC_GENERATION", value(ts, "data.generation"))
}

func nobody(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Setenv("ACC_SESSION", "")
	ts.Setenv("ACC_GENERATION", "")
}

func get(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: get VAR path")
	}
	ts.Setenv(args[0], value(ts, args[1]))
}

func is(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: is path value")
	}
	if got := value(ts, args[0]); (got == args[1]) == neg {
		ts.Fatalf("%s is %q", args[0], got)
	}
}

// value finds a value in the JSON on stdout: a string as it is, of a list or
// an object the number of its members, anything else as JSON.
func value(ts *testscript.TestScript, path string) string {
	var at any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &at))
	for name := range strings.SplitSeq(path, ".") {
		at = member(ts, at, name)
	}
	switch v := at.(type) {
	case string:
		return v
	case []any:
		return strconv.Itoa(len(v))
	case map[string]any:
		return strconv.Itoa(len(v))
	}
	text, err := json.Marshal(at)
	ts.Check(err)
	return string(text)
}

func member(ts *testscript.TestScript, of any, name string) any {
	switch v := of.(type) {
	case map[string]any:
		if found, ok := v[name]; ok {
			return found
		}
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i < len(v) {
			return v[i]
		}
	}
	ts.Fatalf("the JSON on stdout has no %s", name)
	return nil
}
