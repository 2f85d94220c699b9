package mcpserver

// method says in which era a method exists and whether it waits its turn.
type method struct{ legacy, modern, serial bool }

// methods is the closed list of requests that are answered.
var methods = map[string]method{
	"initialize":               {legacy: true},
	"ping":                     {legacy: true},
	"server/discover":          {modern: true},
	"subscriptions/listen":     {modern: true},
	"tools/list":               {legacy: true, modern: true},
	"tools/call":               {legacy: true, modern: true, serial: true},
	"resources/list":           {legacy: true, modern: true},
	"resources/read":           {legacy: true, modern: true, serial: true},
	"resources/subscribe":      {legacy: true, serial: true},
	"resources/unsubscribe":    {legacy: true, serial: true},
	"resources/templates/list": {legacy: true, modern: true},
	"prompts/list":             {legacy: true, modern: true},
	"prompts/get":              {legacy: true, modern: true},
}
