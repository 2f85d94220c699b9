package schema

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
)

// Patterns of the schema files, in the part of the language that Go and
// JavaScript share: line separators have no escape there.
const (
	suffixPattern      = `[0-7][0-9a-hjkmnp-tv-z]{25}$`
	participantGrammar = `^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$`
	timePattern        = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`
	linePattern        = `^[^\x00-\x1f\x7f-\x9f` + "\u2028\u2029" + `]*$`
	textPattern        = `^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$`
)

// mapType replaces types that have a form of their own.
func mapType(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[Time]():
		return &jsonschema.Schema{Type: "string", Format: "date-time", Pattern: timePattern}
	case reflect.TypeFor[Resource]():
		return &jsonschema.Schema{Type: "string", Pattern: `^[a-z][a-z0-9+.-]*:`, MaxLength: count(MaxResource)}
	}
	return nil
}

func id(kind IDKind) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: "^" + string(kind) + "_" + suffixPattern}
}

func line(max int) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: linePattern, MinLength: count(1), MaxLength: count(max)}
}

func text(max int) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: textPattern, MinLength: count(1), MaxLength: count(max)}
}

func participantID() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: participantGrammar}
}

func list(items *jsonschema.Schema, min, max int, unique bool) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "array", Items: items, MaxItems: count(max), UniqueItems: unique}
	if min > 0 {
		s.MinItems = count(min)
	}
	return s
}

func whole(min string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: json.Number(min)}
}

// rules say for each member name what it may hold; a name means the same
// thing in every record.
func rules() map[string]*jsonschema.Schema {
	items := func() *jsonschema.Schema { return list(text(MaxItem), 0, MaxItems, false) }
	events := &jsonschema.Schema{Type: "string"}
	for _, t := range EventTypes() {
		events.Enum = append(events.Enum, string(t))
	}
	kinds := &jsonschema.Schema{Type: "string"}
	for _, k := range MessageKinds() {
		kinds.Enum = append(kinds.Enum, string(k))
	}
	return map[string]*jsonschema.Schema{
		"schemaVersion": {Type: "integer", Const: Version},
		"formatVersion": whole("1"), "pid": whole("0"),
		"workspaceId": id(IDWorkspace), "messageId": id(IDMessage), "threadId": id(IDMessage), "inReplyTo": id(IDMessage),
		"handoffId": id(IDMessage), "sessionId": id(IDSession), "fromSessionId": id(IDSession), "ownerSessionId": id(IDSession),
		"actorSessionId": id(IDSession), "claimId": id(IDClaim),
		"participantId": participantID(), "fromParticipantId": participantID(), "ownerParticipantId": participantID(),
		"actorParticipantId":     participantID(),
		"recipientParticipantId": participantID(), "toParticipantIds": list(participantID(), 0, MaxRecipients, true),
		"messageIds": list(id(IDMessage), 1, MaxDecisionRefs, true),
		"generation": {Type: "string", Pattern: "^[0-9a-fA-F]{32}$"}, "commit": {Type: "string", Pattern: "^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})?$"},
		"cursor": {Type: "string", Pattern: "^[0-9]{16}$"}, "trimmedThrough": {Type: "string", Pattern: "^[0-9]{16}$"}, "type": events, "payload.kind": kinds,
		"clientMessageId": line(MaxKey), "displayName": line(MaxLine), "harness": line(MaxLine), "subject": line(MaxLine),
		"transport": line(MaxLine), "summary": line(MaxSummary), "reason": line(MaxReason), "body": text(MaxBodyBytes),
		"artifacts": items(), "completed": items(), "remaining": items(), "blockers": items(), "verification": items(),
	}
}

// refine applies the rules to every member, and null to every pointer.
func refine(t reflect.Type, s *jsonschema.Schema) {
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property, _ := s.Properties.Get(name)
		if field.Type.Kind() == reflect.Slice && property.Items != nil && name == "resourceHints" {
			property.MaxItems = count(MaxResources)
		}
		if rule, ok := rules()[name]; ok {
			rule.Description = property.Description
			*property = *rule
		}
		switch name {
		case "payload":
			refine(field.Type, property)
			kind, _ := property.Properties.Get("kind")
			kind.Enum = rules()["payload.kind"].Enum
			state, _ := property.Properties.Get("state")
			for _, known := range ReceiptStates() {
				state.Enum = append(state.Enum, string(known))
			}
		case "handoff", "decisionChange", "git", "offered":
			refine(field.Type.Elem(), property)
		}
		if field.Type.Kind() == reflect.Pointer {
			value := *property
			value.Description = ""
			*property = jsonschema.Schema{Description: property.Description, AnyOf: []*jsonschema.Schema{&value, {Type: "null"}}}
		}
	}
}

// obligationRules say which obligation a kind may carry.
func obligationRules() []*jsonschema.Schema {
	var all []*jsonschema.Schema
	for _, kind := range MessageKinds() {
		var allowed []*jsonschema.Schema
		for _, o := range []Obligation{OweNothing, OweAcknowledge, OweReply} {
			addressed, room := AllowedObligation(kind, o, true), AllowedObligation(kind, o, false)
			to := &jsonschema.Schema{}
			switch {
			case !addressed && !room:
				continue
			case !room:
				to.MinItems = count(1)
			case !addressed:
				to.MaxItems = count(0)
			}
			combination := members("obligation", &jsonschema.Schema{Const: string(o)})
			if addressed != room {
				combination.Properties.Set("toParticipantIds", to)
			}
			allowed = append(allowed, combination)
		}
		all = append(all, &jsonschema.Schema{
			If: members("kind", &jsonschema.Schema{Const: string(kind)}), Then: &jsonschema.Schema{AnyOf: allowed},
		})
	}
	return all
}

func members(name string, s *jsonschema.Schema) *jsonschema.Schema {
	properties := jsonschema.NewProperties()
	properties.Set(name, s)
	return &jsonschema.Schema{Properties: properties}
}

func count(n int) *uint64 { v := uint64(n); return &v }
