package mcpserver

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The revisions that are served.
const (
	rev2026 = "2026-07-28"
	rev2511 = "2025-11-25"
	rev2506 = "2025-06-18"
)

// supportedVersions lists them, newest first.
var supportedVersions = []string{rev2026, rev2511, rev2506}

// session is the state of the initialized era. Requests of 2026-07-28 carry
// all they need and touch none of it, so both eras share one connection. Only
// the reading goroutine uses it.
type session struct {
	initialized bool // initialize was accepted
	ready       bool // notifications/initialized followed
	client      client
}

// request is what the era and the life cycle make of a frame.
type request struct {
	method  string
	params  fields
	modern  bool
	version string // of initialize: the one that was agreed
	client  client
	serial  bool
}

// accept decides whether a request may go on, and in which era.
func (s *session) accept(f frame) (request, *refusal) {
	meta, err := f.params.object("_meta")
	if err != nil {
		return request{}, err
	}
	version, has := meta[mcp.MetaKeyProtocolVersion]
	r := request{method: f.method, params: f.params, client: s.client}
	m, known := methods[f.method]
	r.serial = m.serial
	switch {
	case has:
		if err := r.readMeta(version, meta); err != nil {
			return r, err
		}
	case f.method == "server/discover":
		// A client that asks what is spoken here cannot know what to write.
		r.modern, r.client = true, client{}
	default:
		if err := s.gate(f.method); err != nil {
			return r, err
		}
	}
	if !known || r.modern && !m.modern || !r.modern && !m.legacy {
		return r, refuse(codeMethodNotFound, "this method is not served")
	}
	if f.method == "initialize" {
		err := s.initialize(&r)
		return r, err
	}
	return r, nil
}

// gate keeps the order of the initialized era: initialize, then
// notifications/initialized, then everything else. ping is free.
func (s *session) gate(method string) *refusal {
	switch {
	case method == "ping":
		return nil
	case method == "initialize" && s.initialized:
		return invalidRequest("the session is initialized already")
	case method == "initialize":
		return nil
	case !s.initialized:
		return invalidRequest("send initialize first")
	case !s.ready:
		return invalidRequest("send notifications/initialized first")
	}
	return nil
}

// initialize opens the era. A client that asks for a revision that is not
// served is offered the newest one with a handshake, and decides for itself.
func (s *session) initialize(r *request) *refusal {
	if r.params == nil {
		return invalidParams("initialize needs params")
	}
	version := r.params["protocolVersion"]
	if version != nil && version.Kind() != '"' {
		return invalidParams("protocolVersion must be a string")
	}
	if _, err := r.params.object("capabilities"); err != nil {
		return err
	}
	info, err := r.params.object("clientInfo")
	if err != nil {
		return err
	}
	if r.version = str(version); r.version != rev2506 {
		r.version = rev2511
	}
	s.initialized, s.client = true, newClient(info)
	s.client.quirks = quirksOf(s.client.name)
	return nil
}

// notice takes the one notification that changes the life cycle.
func (s *session) notice(method string) {
	if method == "notifications/initialized" && s.initialized {
		s.ready = true
	}
}

// readMeta checks the keys that make a request one of 2026-07-28.
func (r *request) readMeta(version jsontext.Value, meta fields) *refusal {
	if version.Kind() != '"' {
		return invalidParams("the protocol version in _meta must be a string")
	}
	if v := str(version); v != rev2026 {
		return &refusal{codeUnsupportedVersion, "this protocol version is not served per request",
			mcp.UnsupportedProtocolVersionData{Supported: slices.Clone(supportedVersions), Requested: printable(v)}}
	}
	if caps, err := meta.object(mcp.MetaKeyClientCapabilities); err != nil || caps == nil {
		return invalidParams("_meta needs " + mcp.MetaKeyClientCapabilities + ", an object")
	}
	info, err := meta.object(mcp.MetaKeyClientInfo)
	if err != nil {
		return err
	}
	// Quirks belong to initialize: the 2026 revision asks servers not to let
	// clientInfo change what they answer.
	r.modern, r.client = true, newClient(info)
	return nil
}
