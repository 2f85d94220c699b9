// Package prune removes from a room what nobody needs any more: closed
// sessions and what they left, claims past their lease, participants that
// nothing refers to, and, where it is asked for, old events and settled
// messages. What is owed to a known recipient stays, and so does what a
// standing decision rests on.
//
// A run plans first and changes nothing while it does. Applying the plan is a
// series of transactions; one that is killed leaves a whole room, and the next
// run goes on where it ended.
package prune
