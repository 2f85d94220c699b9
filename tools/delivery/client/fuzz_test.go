package client

import "testing"

// FuzzParse: no input of a hook may do more than be refused.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":{"command":"cd 'a' && apply_patch <<E\n*** Begin Patch\n*** Add File: b\n"}}`))
	f.Add([]byte(`{"tool_name":"Write","tool_input":{"file_path":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, id := range IDs() {
			in, err := Parse(id, BeforeTool, data, noEnv)
			for _, path := range in.Paths {
				if path == "" || err != nil {
					t.Errorf("%s: path %q, %v", id, path, err)
				}
			}
		}
	})
}
