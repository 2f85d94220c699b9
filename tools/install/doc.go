// Package install writes the room's server and hooks into the configuration of
// coding agents, and takes them out again.
//
// A configuration file belongs to a person. So every edit is one insertion into
// the text as it stands: comments, order, form and line ends stay, byte for
// byte, and taking an edit back gives the bytes from before. What was written is
// noted in a ledger outside the repository, with a hash of each entry, so that
// an entry that somebody edited since is told from one that is still ours: it
// is left alone, and named.
//
// Nothing is guessed: a file that does not parse, an entry of the same name
// that is not ours, and a path that leads out of the chosen scope are refused,
// and then nothing of that client is written.
package install
