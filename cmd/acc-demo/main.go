// Command acc-demo tells a story with the real acc-mcp: agents that share a
// repository. It makes a scratch repository, starts one server for each
// participant, and prints what each of them does and is told. Every step is
// checked; the first that does not come out as told ends the demo.
//
//	acc-demo [-server bin/acc-mcp] [-in demo]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// enough is how long a story may take; a server that hangs ends the demo.
const enough = 2 * time.Minute

func main() {
	os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr))
}

// Main is the program behind main. It returns the exit status: 0 when the
// story came out as told, 1 when it did not, 2 for wrong arguments.
func Main(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("acc-demo", flag.ContinueOnError)
	flags.SetOutput(stderr)
	server := flags.String("server", filepath.Join("bin", "acc-mcp"), "the `program` to show")
	in := flags.String("in", "demo", "the `folder` to make the scratch repository in")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		return 2
	}
	ctx, cancel := context.WithTimeout(context.Background(), enough)
	defer cancel()
	if err := demo(ctx, *server, *in, newNarrator(stdout), stderr); err != nil {
		fmt.Fprintf(stderr, "acc-demo: %v\n", err)
		return 1
	}
	return 0
}

func demo(ctx context.Context, server, in string, n *narrator, stderr io.Writer) error {
	server, err := filepath.Abs(server)
	if err != nil {
		return err
	}
	if _, err := os.Stat(server); err != nil {
		return fmt.Errorf("there is no program %s; run make build first", server)
	}
	root, err := makeRepository(ctx, in)
	if err != nil {
		return err
	}
	s := &story{ctx: ctx, server: server, root: root, narrator: n, stderr: stderr}
	defer s.close()
	s.tell()
	return s.err
}
