package main_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// stackTrace is how Go shows where a program is.
var stackTrace = regexp.MustCompile(`goroutine \d+ \[|\.go:\d+`)

// audit holds everything that a server said to what holds always: stdout is
// protocol, nothing shows a generation token or a stack, and no failure shows
// a path outside the workspace.
func (s *server) audit() {
	s.mu.Lock()
	output, log := s.output.String(), s.log.String()
	s.mu.Unlock()
	for _, line := range strings.SplitAfter(output, "\n") {
		if line != "" {
			s.auditLine(line)
		}
	}
	if where := stackTrace.FindString(output + log); where != "" {
		s.t.Errorf("a stack shows: %q\n%s", where, log)
	}
	for _, token := range generations(filepath.Dir(s.launch.workspace), s.cmd.Dir) {
		if strings.Contains(output+log, token) {
			s.t.Errorf("a generation token shows in what the server said")
		}
	}
}

func (s *server) auditLine(line string) {
	var m struct {
		JSONRPC string          `json:"jsonrpc"`
		Error   json.RawMessage `json:"error"`
		Result  struct {
			IsError bool            `json:"isError"`
			All     json.RawMessage `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
		s.t.Errorf("stdout holds what is no protocol line: %.200q", line)
		return
	}
	if m.Error == nil && !m.Result.IsError {
		return
	}
	if path := s.foreignPath(line); path != "" {
		s.t.Errorf("a failure shows a path outside the workspace, %s:\n%s", path, line)
	}
}

// foreignPath finds a path of the machine that is not in the workspace.
func (s *server) foreignPath(line string) string {
	for _, own := range []string{s.launch.workspace, settled(s.launch.workspace)} {
		if own != "" {
			line = strings.ReplaceAll(line, own, "")
		}
	}
	for _, foreign := range []string{settled(os.TempDir()), os.TempDir(), "/home/", "/root/", "/usr/", "/proc/"} {
		if strings.Contains(line, foreign) {
			return foreign
		}
	}
	return ""
}

func settled(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// generations are the secrets of all sessions below those of the directories
// that a test made.
func generations(dirs ...string) (tokens []string) {
	for _, dir := range dirs {
		if !strings.HasPrefix(dir, settled(os.TempDir())+string(filepath.Separator)) {
			continue
		}
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || !strings.HasPrefix(e.Name(), "session_") {
				return nil
			}
			var record struct{ Generation string }
			if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &record) == nil && len(record.Generation) > 8 {
				tokens = append(tokens, record.Generation)
			}
			return nil
		})
	}
	return tokens
}
