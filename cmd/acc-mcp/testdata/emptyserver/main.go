// Command emptyserver is the least that an MCP server can be on the SDK. What
// acc-mcp costs is measured against it.
package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type nothing struct{}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "empty", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "nothing", Description: "Does nothing."},
		func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, nothing, error) {
			return nil, nothing{}, nil
		})
	_ = server.Run(context.Background(), &mcp.StdioTransport{}) // an end of stdin is an end
}
