package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// showTree prints a directory as a tree.
func (n *narrator) showTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name, depth := entry.Name(), strings.Count(below, string(filepath.Separator))+1
		if below == "." {
			depth = 0
		}
		if entry.IsDir() {
			name += "/"
		}
		n.quote(strings.Repeat("  ", depth) + name)
		return nil
	})
}

// messageFile is where a message lies, relative to the repository.
func messageFile(root, messageID string) (string, error) {
	found, err := filepath.Glob(filepath.Join(root, ".acc", "messages", "*", messageID+".*.json"))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", &fs.PathError{Op: "find", Path: messageID, Err: fs.ErrNotExist}
	}
	return filepath.Rel(root, found[0])
}

// showFile prints a file as cat does.
func (n *narrator) showFile(root, name string) error {
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return err
	}
	n.quote(string(data))
	return nil
}
