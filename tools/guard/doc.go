// Package guard keeps a commit from taking what another session claims. Check
// compares files with the live exclusive claims of the room; Install puts a
// pre-commit hook into the repository that does so, in front of which the hook
// that was there before still runs.
//
// A guard is advice with a stop sign: it works where it is installed, and
// whoever means to commit all the same can. Where the room cannot be read, a
// commit passes.
//
// Unlike the store, the guard runs git: a hook is started by it anyway.
package guard
