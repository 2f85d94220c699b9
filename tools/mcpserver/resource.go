package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"

	"acc/tools"

	"github.com/go-json-experiment/json/jsontext"
)

type readResult struct {
	Contents []textResource `json:"contents"`
	modernFields
}

type textResource struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType"`
	Text     string `json:"text"`
}

// resource is the resource that a call names. URIs are compared and never
// parsed, so one with control characters is a URI that does not exist.
func (m *middleware) resource(c *call) (tools.Resource, *refusal) {
	uri := c.params["uri"]
	if uri != nil && uri.Kind() != '"' {
		return tools.Resource{}, invalidParams("uri must be a string")
	}
	resource, ok := m.cfg.Registry.Resource(str(uri))
	if !ok {
		return resource, noResource(c.modern)
	}
	return resource, nil
}

func (m *middleware) readResource(c *call) (json.RawMessage, *refusal) {
	resource, refused := m.resource(c)
	if refused != nil {
		return nil, refused
	}
	value, err := m.run(resource.URI, func() (any, error) { return resource.Read(c.ctx, m.caller(c)) })
	var text []byte
	if err == nil {
		if text, err = render(value, quirks{}); err != nil {
			err = fmt.Errorf("the content of %s: %w", resource.URI, err)
		}
	}
	if err != nil {
		return nil, m.failed(c.ctx, resource.URI, err)
	}
	result := readResult{Contents: []textResource{{resource.URI, mimeJSON, string(text)}}}
	if c.modern {
		result.modernFields = m.cfg.cacheable(0, scopePrivate)
	}
	return marshal(result)
}

// failed is the answer where a resource failed.
func (m *middleware) failed(ctx context.Context, uri string, err error) *refusal {
	e := m.explain(ctx, uri, err)
	return &refusal{codeInternal, cutText(e.Message, maxMessage), jsontext.Value(renderError(e))}
}

// noResource is the answer for an unknown URI in the code of its revision.
func noResource(modern bool) *refusal {
	code := codeResourceNotFound
	if modern {
		code = codeInvalidParams
	}
	return refuse(code, "there is no such resource; resources/list has them all")
}
