package mcpserver

import (
	"slices"

	"acc/tools"

	"github.com/go-json-experiment/json/jsontext"
)

// modernFields are what 2026-07-28 adds to a result. For the older revisions
// they stay zero and do not appear.
type modernFields struct {
	ResultType string      `json:"resultType,omitempty"`
	TTLMs      *int        `json:"ttlMs,omitempty"`
	CacheScope string      `json:"cacheScope,omitempty"`
	Meta       *resultMeta `json:"_meta,omitempty"`
}

type resultMeta struct {
	ServerInfo     implementation `json:"io.modelcontextprotocol/serverInfo"`
	SubscriptionID jsontext.Value `json:"io.modelcontextprotocol/subscriptionId,omitempty"`
}

type implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (cfg Config) implementation() implementation { return implementation{cfg.Name, cfg.Version} }

// modern are the fields of a result that may not be cached.
func (cfg Config) modern() modernFields {
	return modernFields{ResultType: "complete", Meta: &resultMeta{ServerInfo: cfg.implementation()}}
}

// cacheable are the fields of a result that a client may keep for ttl ms.
func (cfg Config) cacheable(ttl int, scope string) modernFields {
	f := cfg.modern()
	f.TTLMs, f.CacheScope = &ttl, scope
	return f
}

// Lists do not change while the server runs, and a client that starts a new
// server asks again. They name nobody; what depends on how this server was
// launched is private.
const (
	listTTL      = 5 * 60 * 1000
	scopePublic  = "public"
	scopePrivate = "private"
)

// capabilities is what initialize and server/discover declare: what is
// answered and nothing else. There are no prompts, but clients ask for them.
type capabilities struct {
	Experimental map[string]any    `json:"experimental,omitempty"`
	Prompts      struct{}          `json:"prompts"`
	Resources    resourceAbilities `json:"resources"`
	Tools        struct{}          `json:"tools"`
}

type resourceAbilities struct {
	Subscribe bool `json:"subscribe,omitempty"`
}

func (cfg Config) capabilities() capabilities {
	watched := slices.ContainsFunc(cfg.Registry.Resources, func(r tools.Resource) bool { return r.Watch != nil })
	return capabilities{Experimental: cfg.Experimental, Resources: resourceAbilities{Subscribe: watched}}
}

type initializeResult struct {
	ProtocolVersion string         `json:"protocolVersion"`
	Capabilities    capabilities   `json:"capabilities"`
	ServerInfo      implementation `json:"serverInfo"`
	Instructions    string         `json:"instructions,omitempty"`
}

func (m *middleware) initialize(c *call) ([]byte, *refusal) {
	return marshal(initializeResult{
		ProtocolVersion: c.version,
		Capabilities:    m.cfg.capabilities(),
		ServerInfo:      m.cfg.implementation(),
		Instructions:    m.cfg.Instructions,
	})
}
