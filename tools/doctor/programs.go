package doctor

import (
	"debug/buildinfo"
	"fmt"
)

// programs compares the programs that share the room: an older server beside a
// newer command line would refuse what the other writes.
func (cfg Config) programs(r *Report) {
	if cfg.Version != "" {
		r.ok("acc %s%s", cfg.Version, ofRevision(cfg.Revision))
	}
	if cfg.Look == nil {
		return
	}
	const server = "acc-mcp"
	path, err := cfg.Look(server)
	if err != nil {
		r.add(Note, "", server+" is not on the PATH", "clients that start it by its full path do not need that")
		return
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return // a wrapper, perhaps
	}
	revision := ""
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			revision = s.Value
		}
	}
	if revision != cfg.Revision && revision != "" && cfg.Revision != "" {
		r.add(Note, "", fmt.Sprintf("%s on the PATH is another build than acc%s%s", server, ofRevision(revision), ofRevision(cfg.Revision)), "install both from one version")
		return
	}
	r.ok("%s on the PATH%s", server, ofRevision(revision))
}

func ofRevision(id string) string {
	if id == "" {
		return ""
	}
	return " (" + id[:min(len(id), 12)] + ")"
}
