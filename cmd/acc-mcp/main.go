// Command acc-mcp serves the room of a workspace to one MCP client over stdio.
//
// It takes no arguments. ACC_MCP_PARTICIPANT names the participant it speaks
// for (default mcp), ACC_MCP_WORKSPACE the workspace (default: the directory
// it was started in), ACC_MCP_LOG_LEVEL what goes to stderr (debug, info,
// warn, error; default warn).
package main

import (
	"io"
	"os"
)

func main() {
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}

// Main is the program behind main, for tests. It returns the exit status: 0
// after a clean end, 1 when the connection broke, 2 for wrong arguments or
// configuration, 4 for a workspace that cannot be used.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	cfg, code := configure(args, stderr, env)
	if code != 0 {
		return code
	}
	return serve(cfg, stdin, stdout)
}
