// Package delivery hands mail to clients while they run: the loop of a live
// adapter, and the transports that acc deliver has.
//
// The rules are those of the room (package coordination): whom an adapter
// serves, what the recipient's policy lets through, and what is recorded. An
// adapter looks when a file in the recipient's inbox changes, and every two
// seconds whether one did or not.
package delivery
