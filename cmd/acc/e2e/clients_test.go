package e2e

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"acc/golden/e2e/drive"
)

// programs are built once for all tests and removed by TestMain.
var programs = struct {
	sync.Once
	dir string
	err error
}{}

func TestMain(m *testing.M) {
	code := m.Run()
	if programs.dir != "" {
		os.RemoveAll(programs.dir)
	}
	os.Exit(code)
}

func build(t *testing.T) string {
	t.Helper()
	programs.Do(func() {
		if programs.dir, programs.err = os.MkdirTemp("", "acc-e2e"); programs.err != nil {
			return
		}
		out, err := exec.Command("go", "build", "-o", programs.dir+string(filepath.Separator),
			"acc/cmd/acc", "acc/cmd/acc-mcp", "./testdata/recorder").CombinedOutput()
		if err != nil {
			programs.err = errors.New(string(out))
		}
	})
	if programs.err != nil {
		t.Fatal(programs.err)
	}
	return programs.dir
}

func program(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// wanted are the clients that ACC_E2E names. A missing one is skipped loudly.
func wanted(t *testing.T) []drive.Installed {
	t.Helper()
	names := strings.FieldsFunc(os.Getenv("ACC_E2E"), func(c rune) bool { return c == ',' || c == ' ' })
	if len(names) == 0 {
		t.Skip("*** NOT RUN: no clients asked for; make e2e CLIENTS=claude,codex installs and runs them ***")
	}
	folder := os.Getenv("ACC_E2E_CLIENTS")
	if folder == "" {
		folder = filepath.Join("testdata", "clients")
	}
	var found []drive.Installed
	for _, name := range names {
		installed, err := drive.Find(folder, name)
		switch {
		case errors.Is(err, drive.ErrMissing) && os.Getenv("ACC_E2E_REQUIRED") == "":
			t.Logf("*** NOT RUN: %v; make e2e CLIENTS=%s installs it ***", err, name)
		case err != nil:
			t.Fatal(err)
		default:
			found = append(found, installed)
		}
	}
	return found
}

// firstOf returns an installed client of the id.
func firstOf(all []drive.Installed, id string) (drive.Installed, bool) {
	i := slices.IndexFunc(all, func(c drive.Installed) bool { return c.ID == id })
	if i < 0 {
		return drive.Installed{}, false
	}
	return all[i], true
}
