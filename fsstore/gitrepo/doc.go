// Package gitrepo reads what a Git repository says of itself: where its
// directories and work trees are, which branch and commit a work tree is on,
// and whether its tracked files differ from that commit.
//
// # Promises
//
//   - It only reads: nothing is created, changed, locked or refreshed.
//   - It never runs git. A git process would obey GIT_* variables and the
//     user's configuration, start what they name, and cost more than the whole
//     answer. No variable of the environment is looked at.
//   - It is bounded. What may be large (an index, a pack, packed-refs) is not
//     loaded whole, everything else is read up to a limit, and so is the
//     content of tracked files. Only regular files and directories are
//     opened: a pipe in their place would never answer.
//   - It is best effort. Only Find can fail. What is damaged, or kept in a form
//     that is not read (split index, reftable), counts as unknown: no branch,
//     no facts, or Dirty, for only a known match is clean.
//
// All paths that it gives are settled, see settle.Path. It knows no room and
// no store.
package gitrepo
