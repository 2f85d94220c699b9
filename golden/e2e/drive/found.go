package drive

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Installed is a client as npm installed it in a folder of its own.
type Installed struct {
	Client
	Folder  string
	Version string
}

// ErrMissing is the error of a client that is not installed.
var ErrMissing = errors.New("not installed")

// Find looks for the client that lies in the folder name below clients. The
// name is the client's id, or begins with it and a hyphen: claude-latest.
func Find(clients, name string) (Installed, error) {
	id, _, _ := strings.Cut(name, "-")
	c, known := ByID(id)
	if !known {
		return Installed{}, fmt.Errorf("no client is called %q", id)
	}
	folder, err := filepath.Abs(filepath.Join(clients, name))
	if err != nil {
		return Installed{}, err
	}
	manifest, err := os.ReadFile(filepath.Join(folder, "node_modules", filepath.FromSlash(c.Package), "package.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return Installed{}, fmt.Errorf("%s: %w", name, ErrMissing)
	}
	if err != nil {
		return Installed{}, err
	}
	var pkg struct{ Version string }
	if err := json.Unmarshal(manifest, &pkg); err != nil {
		return Installed{}, fmt.Errorf("%s: %w", name, err)
	}
	return Installed{Client: c, Folder: folder, Version: pkg.Version}, nil
}

// In makes the agent that runs the client in project, with its home below
// scratch.
func (i Installed) In(project, scratch string) (*Agent, error) {
	home := filepath.Join(scratch, i.ID, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	for name, content := range i.settings {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return nil, err
		}
	}
	return &Agent{Client: i.Client, Version: i.Version, Home: home, Project: project, installed: i.Folder}, nil
}
