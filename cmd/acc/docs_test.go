//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"acc/golden"
)

// TestDocs runs the pages that show what the program prints: every command in
// a console block, in order, each person in a shell of her own, and what was
// printed is held to the page; -update writes it into the page.
//
// A comment that begins with <!-- run holds commands that the reader does not
// see. A command that needs jq keeps what the page says where there is no jq.
func TestDocs(t *testing.T) {
	for _, name := range []string{"worked-example.md", "by-hand.md"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("..", "..", "docs", name)
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := newPage(t)
			golden.Compare(t, "../docs/"+name, p.run(string(data)))
		})
	}
}

// page is the world of one page.
type page struct {
	t    *testing.T
	dir  string // holds the projects, and a folder with the shells' variables
	mask *mask
}

func newPage(t *testing.T) *page {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{"projects", "shells"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return &page{t: t, dir: dir, mask: newMask(filepath.Join(dir, "projects"))}
}

var promptPattern = regexp.MustCompile(`^([a-z]*)\$ (.+)$`)

// run gives the page with everything that is printed now.
func (p *page) run(text string) []byte {
	var out bytes.Buffer
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSuffix(lines[i], "\n")
		out.WriteString(lines[i])
		switch {
		case strings.HasPrefix(line, "<!-- run"):
			i = p.block(lines, i+1, "-->", &out, false)
		case line == "```console":
			i = p.block(lines, i+1, "```", &out, true)
		}
	}
	return out.Bytes()
}

// block runs the commands up to the line that ends the block, and returns
// where that is.
func (p *page) block(lines []string, i int, end string, out *bytes.Buffer, shown bool) int {
	for ; strings.TrimSuffix(lines[i], "\n") != end; i++ {
		m := promptPattern.FindStringSubmatch(strings.TrimSuffix(lines[i], "\n"))
		if m == nil {
			continue // what was printed last time, unless it is kept below
		}
		who, command := m[1], m[2]
		out.WriteString(lines[i])
		for unfinished(command) {
			i++
			out.WriteString(lines[i])
			command += "\n" + strings.TrimSuffix(lines[i], "\n")
		}
		if strings.Contains(command, "jq ") && !hasProgram("jq") {
			for i+1 < len(lines) && !ends(lines[i+1], end) {
				i++
				out.WriteString(lines[i])
			}
			continue
		}
		printed := p.shell(who, command)
		if shown {
			out.WriteString(printed)
		}
	}
	out.WriteString(lines[i])
	return i
}

// unfinished reports whether a command goes on in the next line.
func unfinished(command string) bool {
	return strings.HasSuffix(command, "\\") || strings.Count(command, "'")%2 == 1
}

func ends(line, end string) bool {
	line = strings.TrimSuffix(line, "\n")
	return line == end || promptPattern.MatchString(line)
}

func hasProgram(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// shell runs a command as somebody, with the directory and the variables that
// the last one left.
func (p *page) shell(who, command string) string {
	p.t.Helper()
	if who == "" {
		who = "ana" // whoever the reader is
	}
	state := filepath.Join(p.dir, "shells", who)
	script := "cd \"$PROJECTS\"\n[ -e \"$STATE\" ] && . \"$STATE\"\n" + p.mask.restore(command) +
		"\nstatus=$?\n{ export -p; echo \"cd '$PWD'\"; } > \"$STATE\"\nexit $status\n"
	cmd := exec.Command("sh", "-c", script)
	cmd.Env = append(os.Environ(),
		"STATE="+state, "PROJECTS="+filepath.Join(p.dir, "projects"), "HOME="+p.dir, "TZ=UTC", "LC_ALL=C", "NO_COLOR=1",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "ACC_SESSION=", "ACC_GENERATION=",
		"GIT_AUTHOR_NAME="+who, "GIT_AUTHOR_EMAIL="+who+"@example.org", "GIT_COMMITTER_NAME="+who, "GIT_COMMITTER_EMAIL="+who+"@example.org",
	)
	printed, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("%s$ %s: %v\n%s", who, command, err, printed)
	}
	p.mask.learnCommits(p.commits())
	return p.mask.apply(string(printed))
}

// commits are all commits of all projects.
func (p *page) commits() []string {
	var all []string
	found, _ := filepath.Glob(filepath.Join(p.dir, "projects", "*", ".git"))
	for _, repo := range found {
		out, err := exec.Command("git", "-C", filepath.Dir(repo), "log", "--reverse", "--topo-order", "--all", "--format=%H").Output()
		if err == nil {
			all = append(all, strings.Fields(string(out))...)
		}
	}
	return all
}
