package client

import (
	"path/filepath"
	"strings"
)

// folderTrust is how Gemini CLI and Qwen Code trust folders: the innermost
// rule that a folder is below counts. byDefault says whether they ask at all
// when the settings do not say.
func folderTrust(folder, root string, byDefault bool) Trust {
	var settings struct {
		Security struct {
			FolderTrust struct {
				Enabled *bool `json:"enabled"`
			} `json:"folderTrust"`
		} `json:"security"`
	}
	readJSON(filepath.Join(folder, "settings.json"), &settings)
	if asks := settings.Security.FolderTrust.Enabled; asks != nil && !*asks || asks == nil && !byDefault {
		return Trusted
	}
	var rules map[string]string
	readJSON(filepath.Join(folder, "trustedFolders.json"), &rules)
	best, trusted := -1, false
	for path, level := range rules {
		if level == "TRUST_PARENT" {
			path = filepath.Dir(path)
		}
		if rel, err := filepath.Rel(path, root); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) && len(path) > best {
			best, trusted = len(path), level != "DO_NOT_TRUST"
		}
	}
	if trusted {
		return Trusted
	}
	return Untrusted
}

// qwenApproves reads whether a person approved the server of a project. Those
// of the person's own settings need no approval.
func qwenApproves(scope Scope, root, folder string) Trust {
	if scope == User {
		return Trusted
	}
	var known map[string]map[string]struct {
		Status string `json:"status"`
	}
	readJSON(filepath.Join(folder, "mcpApprovals.json"), &known)
	if known[root][ServerName].Status == "approved" {
		return Trusted
	}
	return Untrusted
}
