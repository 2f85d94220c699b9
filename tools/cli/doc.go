// Package cli is the projection of the registry, and of the room itself, to
// a command line for people and scripts.
//
// Every command answers in one of two forms: text for people, or, with
// --json, one envelope. A command is a function from its arguments to a value
// and a way to print that value (see define); which form is used, where
// errors go and what the exit status is are decided in one place (outcome.go).
// A command that mirrors a tool calls that tool, so that validation, errors
// and values are the same as over MCP.
//
// Each command has a file of its own, cmd_<name>.go, with a method of App that
// returns it; commands.go lists them.
package cli
