// Package fsstore says where a record is: paths under .acc/, atomic
// publication, the lock, the journal and recovery, paging by name, watching.
// It knows records and knows no tool.
//
// # Promises
//
// A change is made by Update and is one transaction: when Update returns nil,
// everything in it survives a power cut; when it does not, either nothing of
// it is there or, where the error says so, all of it will be. View and Update
// never see half of a transaction, whichever process was killed in the middle
// of it. Presence files are the one exception: they are signs of life, not
// durable, and a torn one reads as nobody being there.
//
// # How
//
// Under the exclusive lock a transaction stages its files in run/tmp, is
// decided by one synced record in the journal, and is then applied by renames
// that nobody waits for. A process that is killed in between leaves a decided
// record, which the next holder of the lock applies first. A checkpoint makes
// all applied files durable before the journal starts over. The format is
// described in docs/store.md.
package fsstore
