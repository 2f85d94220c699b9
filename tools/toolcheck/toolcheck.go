// Package toolcheck holds the published declarations of a registry against
// what MCP clients really accept. One keyword that a client does not know can
// cost a user every tool of the server, so each toolset is tested with it.
package toolcheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"acc/tools"

	jsonv2 "github.com/go-json-experiment/json"
)

// Limits of names and texts, in characters, and of all definitions, in bytes.
const (
	maxFullName    = 52
	maxDescription = 1000
	maxDefinitions = 12000
)

// definition is a tool as tools/list shows it.
type definition struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations map[string]bool `json:"annotations"`
}

// CheckDeclarations reports every rule that a tool of reg breaks when a server
// named serverName publishes it. No error means that the declarations are fit
// for publication.
func CheckDeclarations(reg *tools.Registry, serverName string) []error {
	var problems []error
	for _, tool := range reg.Tools {
		if !bytes.Equal(tool.Input.Schema(), tool.Input.Schema()) {
			problems = append(problems, fmt.Errorf("%s: the schema changes from call to call", tool.Name))
		}
	}
	published, err := Published(reg)
	if err != nil {
		return append(problems, fmt.Errorf("the declarations are not valid JSON: %w", err))
	}
	return append(problems, CheckPublished(published, serverName)...)
}

// Published is the tools array of a tools/list result, in the order of the
// registry and without white space.
func Published(reg *tools.Registry) ([]byte, error) {
	type hints struct {
		ReadOnly    bool `json:"readOnlyHint"`
		Destructive bool `json:"destructiveHint"`
		Idempotent  bool `json:"idempotentHint"`
		OpenWorld   bool `json:"openWorldHint"`
	}
	type published struct {
		Name        string          `json:"name"`
		Title       string          `json:"title,omitempty"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
		Annotations hints           `json:"annotations"`
	}
	list := make([]published, len(reg.Tools))
	for i, tool := range reg.Tools {
		a := tool.Annotations
		list[i] = published{
			tool.Name, tool.Title, tool.Description, tool.Input.Schema(), hints{a.ReadOnly, a.Destructive, a.Idempotent, false},
		}
	}
	return jsonv2.Marshal(list)
}

// CheckPublished does the same for the tools array of a tools/list result, as
// it went over the wire.
func CheckPublished(list []byte, serverName string) []error {
	var raw []object
	var definitions []definition
	if err := firstError(jsonv2.Unmarshal(list, &raw), jsonv2.Unmarshal(list, &definitions)); err != nil {
		return []error{fmt.Errorf("the list is no array of tools: %w", err)}
	}
	var problems []error
	if len(list) > maxDefinitions {
		problems = append(problems, fmt.Errorf("all definitions have %d bytes; at most %d are allowed", len(list), maxDefinitions))
	}
	names := map[string]string{}
	for i, d := range definitions {
		found := append(checkMembers(raw[i]), checkName(d.Name, serverName, names)...)
		found = append(found, checkTexts(d)...)
		found = append(found, checkAnnotations(d.Annotations)...)
		found = append(found, checkSchema(d.InputSchema)...)
		for _, problem := range found {
			problems = append(problems, fmt.Errorf("%s: %w", d.Name, problem))
		}
	}
	return problems
}

// checkMembers keeps to the fields of the specification, without outputSchema.
func checkMembers(tool object) (problems []error) {
	for _, member := range sorted(tool) {
		switch member {
		case "name", "title", "description", "inputSchema", "annotations":
		default:
			problems = append(problems, fmt.Errorf("the member %q is not permitted on a tool", member))
		}
	}
	return problems
}

func checkName(name, serverName string, names map[string]string) (problems []error) {
	if ok, _ := regexp.MatchString(`^[a-z][a-z0-9_]{0,39}$`, name); !ok || strings.Contains(name, "__") {
		problems = append(problems, fmt.Errorf("the name is not ^[a-z][a-z0-9_]{0,39}$ without __"))
	}
	if n := len(serverName) + len(name); n > maxFullName {
		problems = append(problems, fmt.Errorf("server and tool name have %d characters; at most %d are allowed", n, maxFullName))
	}
	folded := strings.NewReplacer(".", "", " ", "", "-", "", "_", "").Replace(strings.ToLower(name))
	if other, taken := names[folded]; taken {
		problems = append(problems, fmt.Errorf("the name is the same as %s for some clients", other))
	}
	names[folded] = name
	return problems
}

func checkTexts(d definition) (problems []error) {
	if strings.TrimSpace(d.Description) == "" {
		problems = append(problems, fmt.Errorf("the description is missing"))
	}
	if n := utf8.RuneCountInString(d.Description); n > maxDescription {
		problems = append(problems, fmt.Errorf("the description has %d characters; at most %d are allowed", n, maxDescription))
	}
	return problems
}

// checkAnnotations wants all four hints, a closed world and no contradiction.
func checkAnnotations(hints map[string]bool) (problems []error) {
	for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
		if _, given := hints[hint]; !given {
			problems = append(problems, fmt.Errorf("the annotation %s is missing", hint))
		}
	}
	if len(hints) > 4 {
		problems = append(problems, fmt.Errorf("there are annotations that the specification does not know"))
	}
	if hints["openWorldHint"] {
		problems = append(problems, fmt.Errorf("openWorldHint is true, but no tool reaches outside"))
	}
	if hints["readOnlyHint"] && hints["destructiveHint"] {
		problems = append(problems, fmt.Errorf("a read-only tool cannot be destructive"))
	}
	return problems
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
