// Package fsstore says where a record is: paths under .acc/, atomic
// publication, the lock, the journal and recovery, paging by name, watching.
// It knows records and knows no tool.
//
// # Promises
//
// A change is made by Update and is one transaction: when Update returns nil,
// everything in it survives a power cut; when it does not, nothing of it is
// there. (Only when the disk fails to sync and the power goes after that may
// all of it turn up.) View and Update never see half of a transaction,
// whichever process was killed in the middle of it. Presence files are the
// one exception: they are signs of life, not durable, and a torn one reads as
// nobody being there.
//
// # How
//
// Under the exclusive lock a transaction stages its files in run/tmp, is
// decided by one synced record in the journal, and is then applied by renames
// that nobody waits for. A process that is killed in between leaves a decided
// record, which the next holder of the lock applies first. A checkpoint makes
// all applied files durable before the journal starts over. The format is
// described in docs/store.md.
//
// Handoffs and decisions go with the code: a decided one also appears in the
// checkout of its author (Tx.Publish), and Import takes in those of others that
// Git brings. Watch says when to look.
package fsstore
