// Package tools holds the registry: a tool is declared once, as a name, a
// description, annotations, an input type and a function from the typed input
// to an output. The MCP declarations, the validation of arguments and the
// reference page are derived from that one declaration.
//
// A toolset is a package below this one that returns a slice of Tool.
package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
)

// Caller is what the transport knows of whoever calls. It describes, it never
// identifies: identity comes from the launch configuration alone.
type Caller struct {
	Harness string // the client's self-declared name, "" when it gave none
	Version string // the client's self-declared version

	// ClientSession is what the client calls its own session, "" when it does
	// not say. Calls with the same one are of one agent.
	ClientSession string
	// Guessed says that ClientSession is what the process was told when it
	// began. A client that resumes a session tells its server another name than
	// its hooks.
	Guessed bool
}

// Annotations are the hints of the MCP specification. They are true of what a
// tool does to other participants; presence aside, a ReadOnly tool changes
// nothing. The world is always closed: no tool reaches outside the workspace.
type Annotations struct {
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
}

// Tool is one thing that a participant can do.
type Tool struct {
	Name        string
	Title       string
	Description string
	Annotations Annotations
	Input       InputSchema
	Examples    []string // arguments that the reference page shows, as JSON

	call func(ctx context.Context, caller Caller, args json.RawMessage) (any, error)
}

// Validator is implemented by input types whose fields depend on each other.
// It runs after every field has been decoded and before the tool's function.
type Validator interface {
	Validate() error
}

// Define declares a tool. In is a struct whose fields are strings, integers,
// booleans or slices of strings, or pointers to them, described by tags; see
// InputSchema. It panics on a declaration that clients would not accept, so a
// wrong one cannot be built.
func Define[In any](name, title, description string, hints Annotations, fn func(context.Context, Caller, In) (any, error)) Tool {
	input := reflectInput(reflect.TypeFor[In]())
	return Tool{
		Name: name, Title: title, Description: description, Annotations: hints, Input: input,
		call: func(ctx context.Context, caller Caller, args json.RawMessage) (any, error) {
			var in In
			if err := input.decode(args, &in); err != nil {
				return nil, err
			}
			if v, ok := any(in).(Validator); ok {
				if err := v.Validate(); err != nil {
					return nil, err
				}
			}
			return fn(ctx, caller, in)
		},
	}
}

// Call decodes and validates args and runs the tool. A refusal is a
// *schema.Error; nothing has been read or written when it concerns args.
func (t Tool) Call(ctx context.Context, caller Caller, args json.RawMessage) (any, error) {
	return t.call(ctx, caller, args)
}

// Resource is a read-only document at a fixed URI.
type Resource struct {
	URI         string
	Name        string
	Title       string
	Description string
	Read        func(ctx context.Context, caller Caller) (any, error)

	// Watch, which may be nil, signals when Read would give something else than
	// before, from its return until ctx ends. Signals that nobody took are one.
	// The channel is closed once nothing of the watch is left. It changes
	// nothing that others can see, and makes nobody known.
	Watch func(ctx context.Context) (<-chan struct{}, error)
}

// Registry is the set of tools and resources that one server offers.
type Registry struct {
	Tools     []Tool
	Resources []Resource
}

// Tool finds a tool by its exact name.
func (r *Registry) Tool(name string) (Tool, bool) {
	for _, t := range r.Tools {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

// Resource finds a resource by its exact URI.
func (r *Registry) Resource(uri string) (Resource, bool) {
	for _, res := range r.Resources {
		if res.URI == uri {
			return res, true
		}
	}
	return Resource{}, false
}

// Add appends a toolset. Names are unique in a registry; a second use panics.
func (r *Registry) Add(tools []Tool, resources []Resource) {
	for _, t := range tools {
		if _, taken := r.Tool(t.Name); taken {
			panic(fmt.Sprintf("tools: %s is declared twice", t.Name))
		}
		r.Tools = append(r.Tools, t)
	}
	r.Resources = append(r.Resources, resources...)
}
