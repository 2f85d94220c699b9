package schema

// Trim records how far the event log was cut off at its beginning. Cursors go
// on counting; whoever asks from before the cut is told.
type Trim struct {
	SchemaVersion  int    `json:"schemaVersion"`
	TrimmedThrough string `json:"trimmedThrough"`
	TrimmedAt      Time   `json:"trimmedAt"`
}

// Validate holds the record to its rules.
func (t *Trim) Validate() error {
	v := checker{version: t.SchemaVersion}
	n, err := ParseCursor("trimmedThrough", t.TrimmedThrough)
	v.add(err)
	v.that("trimmedThrough", n > 0, "must be at least 1")
	v.at("trimmedAt", t.TrimmedAt)
	return v.err
}
