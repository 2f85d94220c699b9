package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"acc/tools/delivery/client"
)

// place is a home and a project with nothing in them.
type place struct {
	t         *testing.T
	home, dir string
	opt       Options
}

func newPlace(t *testing.T) *place {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, home: filepath.Join(top, "home"), dir: filepath.Join(top, "project")}
	for _, dir := range []string{p.home, p.dir} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.opt = Options{
		Scope: string(client.Project), Root: p.dir, Home: p.home, Delivery: "all", Acc: "/opt/acc dir/acc", Server: "/opt/acc dir/acc-mcp", Version: "1.0",
		Env: func(string) string { return "" }, Look: func(program string) (string, error) { return "/bin/" + program, nil },
	}
	return p
}

func (p *place) write(name, text string) string {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		p.t.Fatal(err)
	}
	return path
}

func (p *place) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// install installs, and holds the states of the clients to the wanted ones.
func (p *place) install(want State, ids ...string) Report {
	p.t.Helper()
	p.opt.Clients = ids
	r, err := Install(p.opt)
	return p.states(r, err, want)
}

func (p *place) uninstall(want State, ids ...string) Report {
	p.t.Helper()
	p.opt.Clients = ids
	r, err := Uninstall(p.opt)
	return p.states(r, err, want)
}

func (p *place) states(r Report, err error, want State) Report {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
	for _, o := range r.Clients {
		if o.State != want {
			p.t.Errorf("%s: %s, not %s: %s", o.Client, o.State, want, o.Reason)
		}
	}
	return r
}

// tree is every name below a directory, with what it holds.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		info, err := e.Info()
		b.WriteString(rel + " " + info.Mode().String())
		if e.Type()&fs.ModeSymlink != 0 {
			target, _ := os.Readlink(name)
			b.WriteString(" -> " + target)
		} else if !e.IsDir() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			b.WriteString(" " + string(data))
		}
		b.WriteString("\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// same holds a directory to what it was.
func (p *place) same(before string) {
	p.t.Helper()
	if after := tree(p.t, p.dir); after != before {
		p.t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
}
