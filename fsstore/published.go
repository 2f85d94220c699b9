package fsstore

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"acc/fsstore/gitrepo"
	"acc/schema"
)

// What goes with the code is in two folders of a checkout's .acc/, one file a
// message, named by its id alone: ids sort by time, are legal everywhere and
// are never given twice, so no two branches ever write to the same name.
const (
	handoffsDir    = "handoffs"
	decisionsDir   = "decisions"
	gitattributes  = ".gitattributes"
	attributesMark = "run/attributes" // the room has seen to .gitattributes once
	outboxDir      = "run/publish"    // what is still to be published
	stampsName     = "run/published"  // which folders were read, and when
)

// attributes keep Git from changing line ends in published files. A file that
// was checked out with CRLF before the attributes were there stays clean.
const attributes = "*.json text eol=lf\n"

// publishedKinds says which folder holds which kind.
var publishedKinds = map[string]schema.MessageKind{handoffsDir: schema.Handoff, decisionsDir: schema.Decision}

// publishedFolders are the two folders in the order in which they are read.
func publishedFolders() []string { return []string{decisionsDir, handoffsDir} }

// publishedName is where a message goes in a checkout, "" when its kind does
// not go with the code.
func publishedName(messageID string, kind schema.MessageKind) string {
	for folder, goes := range publishedKinds {
		if goes == kind {
			return path.Join(folder, checked(schema.IDMessage, messageID)+jsonExt)
		}
	}
	return ""
}

func outboxName(messageID string) string {
	return path.Join(outboxDir, checked(schema.IDMessage, messageID)+jsonExt)
}

// trees are the checkouts whose .acc/ belongs to the room: its own directory,
// and every worktree of the repository that there is now. A room that lies in a
// directory below its worktree has that directory alone.
func (w Workspace) trees() []string {
	trees := []string{w.Root}
	if w.nested() || w.CommonDir == "" {
		return trees
	}
	now := gitrepo.Repo{CommonDir: w.CommonDir}.Worktrees()
	for _, tree := range slices.Concat(w.Worktrees, now) {
		if !slices.Contains(trees, tree) {
			trees = append(trees, tree)
		}
	}
	return trees
}

// PublishedDirs are the directories in which files that go with the code
// appear, for Watch. Some of them do not exist yet.
func (w Workspace) PublishedDirs() []string {
	var dirs []string
	for _, tree := range w.trees() {
		for _, folder := range publishedFolders() {
			dirs = append(dirs, filepath.Join(tree, roomDir, folder))
		}
	}
	return dirs
}

// Published are the ids of all messages that lie published in some checkout of
// the workspace, by name. A room that forgets one of them would import it
// again as new.
func (w Workspace) Published() map[string]bool {
	ids := map[string]bool{}
	for _, dir := range w.PublishedDirs() {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if id, ok := parseID(schema.IDMessage, e.Name()); ok {
				ids[id] = true
			}
		}
	}
	return ids
}

// hasAttributes reports whether some checkout has a .gitattributes for what is
// published, or something that stands in its place.
func (w Workspace) hasAttributes() bool {
	return slices.ContainsFunc(w.trees(), func(tree string) bool {
		_, err := os.Lstat(filepath.Join(tree, roomDir, gitattributes))
		return err == nil
	})
}
