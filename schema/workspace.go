package schema

// Workspace marks a directory as an initialised room and names its format.
type Workspace struct {
	SchemaVersion int    `json:"schemaVersion"`
	FormatVersion int    `json:"formatVersion"`
	WorkspaceID   string `json:"workspaceId"`
	CreatedAt     Time   `json:"createdAt"`
}

// Validate holds the record to contract §5. A newer format is no damage: the
// store checks for it first.
func (w *Workspace) Validate() error {
	v := checker{version: w.SchemaVersion}
	v.id("workspaceId", IDWorkspace, w.WorkspaceID)
	v.that("formatVersion", w.FormatVersion >= 1, "must be at least 1")
	v.at("createdAt", w.CreatedAt)
	return v.err
}
