// Package schema says what a record is: types, closed vocabularies, limits,
// the grammar of ids and resources, and validation. It is pure: no file, no
// clock, no network. The *.schema.json files beside it are generated from the
// types.
//
// Every record is validated by the same method when it is written and when it
// is read, so a file that was edited by hand into something the rules forbid
// is a damaged record and never reaches a rule.
package schema

// Version is the schemaVersion of every record this program writes.
const Version = 1

// FormatVersion is the version of the store's layout. A store with a higher
// one is refused untouched.
const FormatVersion = 1
