package golden

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers says, for each top-level directory with Go code, which others its
// packages may import. Imports run one way: cmd, tools, fsstore, schema.
var layers = map[string][]string{
	"schema":  {"schema"},
	"fsstore": {"schema", "fsstore"},
	"tools":   {"schema", "fsstore", "tools"},
	"cmd":     {"schema", "fsstore", "tools"},
	"golden":  {},
}

// testsOnly is what tests of any layer may import besides.
var testsOnly = []string{"golden"}

// impure is what the pure layer may not import: it knows no file, no process
// and no network.
var impure = []string{"os", "os/exec", "os/user", "os/signal", "path/filepath", "net", "net/http", "syscall", "io/ioutil"}

// toplevel are the other directories that may be there; what begins with a
// point is not looked at.
var toplevel = []string{"docs", "bin", "demo"}

// source is what one package imports.
type source struct {
	path    string
	imports []string
	tests   []string
}

func (s source) layer() string { return layerOf(s.path) }

func layerOf(path string) string {
	below, _ := strings.CutPrefix(path, "acc/")
	layer, _, _ := strings.Cut(below, "/")
	return layer
}

// sources asks the go command, for every system that we build for: a file for
// one of them must not break the rule either.
func sources(t *testing.T) []source {
	t.Helper()
	const format = `{{.ImportPath}}|{{join .Imports " "}}|{{join .TestImports " "}} {{join .XTestImports " "}}`
	var found []source
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-e", "-f", format, "acc/...")
		cmd.Dir = filepath.Dir(directory(t))
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		for line := range strings.Lines(string(out)) {
			part := strings.Split(strings.TrimSpace(line), "|")
			if len(part) != 3 {
				t.Fatalf("go list says %q", line)
			}
			found = append(found, source{part[0], strings.Fields(part[1]), strings.Fields(part[2])})
		}
	}
	return found
}

func TestImportsRunOneWay(t *testing.T) {
	for _, s := range sources(t) {
		allowed, known := layers[s.layer()]
		if !known {
			t.Errorf("%s lies in no layer", s.path)
			continue
		}
		for _, imported := range s.imports {
			if ours(imported) && !slices.Contains(allowed, layerOf(imported)) {
				t.Errorf("%s imports %s, which lies above or beside it", s.path, imported)
			}
		}
		for _, imported := range s.tests {
			if ours(imported) && !slices.Contains(append(testsOnly, allowed...), layerOf(imported)) {
				t.Errorf("the tests of %s import %s, which lies above or beside it", s.path, imported)
			}
		}
	}
}

func ours(path string) bool { return strings.HasPrefix(path, "acc/") }

func TestSchemaIsPure(t *testing.T) {
	for _, s := range sources(t) {
		if s.layer() != "schema" {
			continue
		}
		for _, imported := range s.imports {
			if slices.Contains(impure, imported) {
				t.Errorf("%s imports %s; records know no file, process or network", s.path, imported)
			}
		}
	}
}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(filepath.Dir(directory(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		_, isLayer := layers[name]
		if entry.IsDir() && !isLayer && !slices.Contains(toplevel, name) && !strings.HasPrefix(name, ".") {
			t.Errorf("the directory %s/ has no place in the layout", name)
		}
	}
}
