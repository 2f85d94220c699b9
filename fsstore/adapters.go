package fsstore

import "slices"

// Adapters lists the sessions for which something of a live adapter lies here:
// a route, or the lock of the right to serve.
func (v *View) Adapters() ([]string, error) {
	var sessions []string
	for dir, session := range map[string]func(string) (string, bool){
		bindingsDir: func(base string) (string, bool) {
			id, _, ok := parseBinding(base)
			return id, ok
		},
		adaptersDir: parseServing,
	} {
		entries, err := v.list(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if id, ok := session(e.Name()); ok {
				sessions = append(sessions, id)
			}
		}
	}
	slices.Sort(sessions)
	return slices.Compact(sessions), nil
}
