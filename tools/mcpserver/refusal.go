package mcpserver

// Codes of JSON-RPC and of the MCP revisions.
const (
	codeParse              = -32700
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternal           = -32603
	codeResourceNotFound   = -32002 // until 2025-11-25; later codeInvalidParams
	codeUnsupportedVersion = -32022 // since 2026-07-28
)

// refusal is a JSON-RPC error as it is sent. Messages are sentences of ours:
// they hold no Go type, no error chain and nothing that the client sent.
type refusal struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Error makes a refusal what the SDK passes from middleware to the transport.
func (r *refusal) Error() string { return r.Message }

func refuse(code int, message string) *refusal {
	return &refusal{Code: code, Message: message}
}

func invalidRequest(message string) *refusal { return refuse(codeInvalidRequest, message) }

func invalidParams(message string) *refusal { return refuse(codeInvalidParams, message) }
