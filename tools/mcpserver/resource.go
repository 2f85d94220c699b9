package mcpserver

import (
	"encoding/json"
	"fmt"

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

// readResource reads a resource. URIs are compared and never parsed, so one
// with control characters is a URI that does not exist.
func (m *middleware) readResource(c *call) (json.RawMessage, *refusal) {
	uri := c.params["uri"]
	if uri != nil && uri.Kind() != '"' {
		return nil, invalidParams("uri must be a string")
	}
	resource, ok := m.cfg.Registry.Resource(str(uri))
	if !ok {
		return nil, noResource(c.modern)
	}
	value, err := m.run(resource.URI, func() (any, error) { return resource.Read(c.ctx, c.caller()) })
	var text []byte
	if err == nil {
		if text, err = render(value, quirks{}); err != nil {
			err = fmt.Errorf("the content of %s: %w", resource.URI, err)
		}
	}
	if err != nil {
		e := m.explain(c.ctx, resource.URI, err)
		return nil, &refusal{codeInternal, cutText(e.Message, maxMessage), jsontext.Value(renderError(e))}
	}
	result := readResult{Contents: []textResource{{resource.URI, mimeJSON, string(text)}}}
	if c.modern {
		result.modernFields = m.cfg.cacheable(0, scopePrivate)
	}
	return marshal(result)
}

// noResource is the answer for an unknown URI in the code of its revision.
func noResource(modern bool) *refusal {
	code := codeResourceNotFound
	if modern {
		code = codeInvalidParams
	}
	return refuse(code, "there is no such resource; resources/list has them all")
}
