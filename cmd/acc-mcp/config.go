package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"acc/fsstore"
	"acc/schema"
)

// defaultParticipant is who a server speaks for when nobody said.
const defaultParticipant = "mcp"

const usage = `acc-mcp takes no arguments: it is started by an MCP client and speaks JSON-RPC on stdin and stdout.

Configure it in your client:
  {"command": "acc-mcp", "env": {"ACC_MCP_PARTICIPANT": "alice", "ACC_MCP_WORKSPACE": "/path/to/project"}}

  ACC_MCP_PARTICIPANT  who this client is in the room (default "mcp")
  ACC_MCP_WORKSPACE    the workspace (default: the directory the server is started in)
  ACC_MCP_LOG_LEVEL    debug, info, warn or error, on stderr (default warn)
`

// config is what the environment said, checked.
type config struct {
	participant string
	workspace   fsstore.Workspace
	log         *slog.Logger
	env         func(string) string
}

// configure reads the environment, once. It creates nothing. On a failure it
// has written one clear line and returns the exit status.
func configure(args []string, stderr io.Writer, env func(string) string) (config, int) {
	if len(args) > 0 {
		fmt.Fprint(stderr, usage)
		return config{}, schema.CodeUsage.ExitCode()
	}
	cfg := config{participant: env("ACC_MCP_PARTICIPANT"), env: env}
	if cfg.participant == "" {
		cfg.participant = defaultParticipant
	}
	if err := schema.CheckParticipantID("ACC_MCP_PARTICIPANT", cfg.participant); err != nil {
		return cfg, report(stderr, err)
	}
	level, err := logLevel(env("ACC_MCP_LOG_LEVEL"))
	if err != nil {
		return cfg, report(stderr, err)
	}
	cfg.log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level}))
	cfg.workspace, err = locate(env)
	if err != nil {
		return cfg, report(stderr, err)
	}
	return cfg, 0
}

func locate(env func(string) string) (fsstore.Workspace, error) {
	start := env("ACC_MCP_WORKSPACE")
	if start == "" {
		var err error
		if start, err = os.Getwd(); err != nil {
			return fsstore.Workspace{}, schema.Fail(schema.ReasonWorkspaceInvalid,
				"the directory this server was started in is gone; set ACC_MCP_WORKSPACE to the workspace.").Because(err)
		}
	}
	return fsstore.Locate(start, fsstore.Home(env))
}

func logLevel(name string) (slog.Level, error) {
	level := slog.LevelWarn
	if name == "" {
		return level, nil
	}
	if err := level.UnmarshalText([]byte(strings.ToUpper(name))); err != nil {
		return level, schema.Fail(schema.ReasonInvalidField, "ACC_MCP_LOG_LEVEL: %q is no level; use debug, info, warn or error.",
			schema.Visible(name, 40))
	}
	return level, nil
}

func report(stderr io.Writer, err error) int {
	e := schema.AsError(err)
	fmt.Fprintf(stderr, "acc-mcp: %s\n", e.Message)
	return e.Code.ExitCode()
}
