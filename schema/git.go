package schema

import "encoding/hex"

// GitFacts say which state of the code a handoff speaks of.
type GitFacts struct {
	// Commit is the full hash of the commit that is checked out, "" on a
	// branch without commits.
	Commit string `json:"commit"`
	// Branch is the name after refs/heads/, "" when HEAD is detached.
	Branch string `json:"branch"`
	// Dirty is false only when the tracked files are known to be the ones of
	// Commit. Untracked files do not count.
	Dirty bool `json:"dirty"`
}

// Validate holds the facts to contract §5, also when another room wrote them.
// It fails with ReasonRecordDamaged or ReasonInvalidField.
func (g *GitFacts) Validate() error {
	if !validCommit(g.Commit) {
		return Fail(ReasonRecordDamaged, "git.commit is not a commit id")
	}
	if g.Branch == "" {
		return nil
	}
	return CheckLine("git.branch", g.Branch, MaxLine)
}

// validCommit knows both of Git's hashes, SHA-1 and SHA-256.
func validCommit(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil && (len(s) == 0 || len(s) == 40 || len(s) == 64)
}
