// Command acc is the room of a repository for people and scripts. See acc
// help, or docs/cli.md.
package main

import (
	"os"

	"acc/tools/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
