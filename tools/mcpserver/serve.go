package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"acc/tools"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Config says what is served and how the server introduces itself.
type Config struct {
	Name         string
	Version      string
	Instructions string
	Registry     *tools.Registry
	Experimental map[string]any // capabilities.experimental, nil for none
	Logger       *slog.Logger   // for stderr, never stdout; nil discards

	// Caller makes of a client's name and version, and the _meta of its call,
	// who is calling; nil takes name and version and nothing else.
	Caller func(name, version string, meta []byte) tools.Caller
}

// errAbandoned is returned when a call ignored the cancellation of its context.
var errAbandoned = errors.New("mcpserver: a call did not stop in time and was left behind")

// Serve answers one client until stdin ends, ctx is cancelled or stdout
// breaks. The first two are a clean end: what is under way is finished and
// answered, and the error is nil. It takes about a second at most; a call that
// is not done by then is cancelled.
//
// A read of stdin cannot be interrupted, so after a cancelled ctx one goroutine
// may stay behind in it. The process is expected to exit.
func Serve(ctx context.Context, cfg Config, stdin io.Reader, stdout io.Writer) error {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	c := newConn(context.WithoutCancel(ctx), cfg.Logger, stdout)
	if cfg.Caller == nil {
		cfg.Caller = func(name, version string, _ []byte) tools.Caller {
			return tools.Caller{Harness: name, Version: version}
		}
	}
	m, err := newMiddleware(cfg, c)
	if err != nil {
		return err
	}
	defer m.watches.stop()
	session, err := connect(cfg, c, m)
	if err != nil {
		return fmt.Errorf("mcpserver: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { c.endInput(nil) })
	defer stop()
	go c.readLines(stdin)

	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := session.Wait(); err != nil {
			cfg.Logger.Debug("session ended", "error", err)
		}
		m.watches.close()
	}()
	select {
	case <-done:
	case <-c.abandoned:
	}
	return c.result()
}

// connect starts the SDK's dispatcher on c.
func connect(cfg Config, c *conn, m *middleware) (*mcp.ServerSession, error) {
	server := mcp.NewServer(
		&mcp.Implementation{Name: cfg.Name, Version: cfg.Version},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}, Logger: cfg.Logger},
	)
	server.AddReceivingMiddleware(m.wrap)
	// The life cycle is kept by conn (session.go). The SDK's own gate knows one
	// era per connection and answers with error code 0, so it is left open.
	return server.Connect(context.Background(), c, &mcp.ServerSessionOptions{State: &mcp.ServerSessionState{
		InitializeParams:  &mcp.InitializeParams{},
		InitializedParams: &mcp.InitializedParams{},
	}})
}
