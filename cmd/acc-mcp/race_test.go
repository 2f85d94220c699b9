//go:build race

package main_test

// raceEnabled has the program built as the test is: a race in it shows on its
// stderr and in its exit status.
const raceEnabled = true
