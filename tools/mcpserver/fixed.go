package mcpserver

import (
	"encoding/json"
	"fmt"

	"acc/tools"
)

type pingResult struct{}

type discoverResult struct {
	SupportedVersions []string     `json:"supportedVersions"`
	Capabilities      capabilities `json:"capabilities"`
	Instructions      string       `json:"instructions,omitempty"`
	modernFields
}

type toolsResult struct {
	Tools []declaration `json:"tools"`
	modernFields
}

type resourcesResult struct {
	Resources []resourceEntry `json:"resources"`
	modernFields
}

type templatesResult struct {
	Templates []struct{} `json:"resourceTemplates"`
	modernFields
}

type promptsResult struct {
	Prompts []struct{} `json:"prompts"`
	modernFields
}

// declaration is a tool in tools/list. It has no outputSchema: clients that
// see one refuse results that deviate, errors included.
type declaration struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations annotations     `json:"annotations"`
}

// annotations are all written out: the defaults of the specification are the
// opposite of what most tools are.
type annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

type resourceEntry struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mimeType"`
}

const mimeJSON = "application/json"

// fixedAnswers encodes the answers that never change, in the order of the
// registry.
func fixedAnswers(cfg Config) (map[string]fixed, error) {
	lists := cfg.cacheable(listTTL, scopePublic)
	entries := map[string]struct{ legacy, modern any }{
		"ping": {legacy: pingResult{}},
		"server/discover": {modern: discoverResult{
			supportedVersions, cfg.capabilities(), cfg.Instructions,
			cfg.cacheable(listTTL, scopePrivate),
		}},
		"tools/list": {
			toolsResult{Tools: declarations(cfg.Registry.Tools)},
			toolsResult{declarations(cfg.Registry.Tools), lists},
		},
		"resources/list": {
			resourcesResult{Resources: resourceEntries(cfg.Registry.Resources)},
			resourcesResult{resourceEntries(cfg.Registry.Resources), lists},
		},
		"resources/templates/list": {
			templatesResult{Templates: []struct{}{}},
			templatesResult{[]struct{}{}, lists},
		},
		"prompts/list": {
			promptsResult{Prompts: []struct{}{}},
			promptsResult{[]struct{}{}, lists},
		},
	}
	out := make(map[string]fixed, len(entries))
	for method, e := range entries {
		legacy, err := encode(e.legacy)
		if err != nil {
			return nil, fmt.Errorf("mcpserver: %s: %w", method, err)
		}
		modern, err := encode(e.modern)
		if err != nil {
			return nil, fmt.Errorf("mcpserver: %s: %w", method, err)
		}
		out[method] = fixed{legacy, modern}
	}
	return out, nil
}

func declarations(list []tools.Tool) []declaration {
	out := make([]declaration, 0, len(list))
	for _, t := range list {
		out = append(out, declaration{
			Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: t.Input.Schema(),
			Annotations: annotations{
				ReadOnly: t.Annotations.ReadOnly, Destructive: t.Annotations.Destructive, Idempotent: t.Annotations.Idempotent,
			},
		})
	}
	return out
}

func resourceEntries(list []tools.Resource) []resourceEntry {
	out := make([]resourceEntry, 0, len(list))
	for _, r := range list {
		out = append(out, resourceEntry{r.URI, r.Name, r.Title, r.Description, mimeJSON})
	}
	return out
}
