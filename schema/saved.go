package schema

// SavedPair is the session that a person keeps for the next commands: its
// generation is a secret, so the file is for its owner alone.
type SavedPair struct {
	SchemaVersion int    `json:"schemaVersion"`
	ParticipantID string `json:"participantId"`
	SessionID     string `json:"sessionId"`
	Generation    string `json:"generation"`
}

// Validate holds the record to its rules.
func (p *SavedPair) Validate() error {
	v := checker{version: p.SchemaVersion}
	v.participant("participantId", p.ParticipantID)
	v.id("sessionId", IDSession, p.SessionID)
	v.hex("generation", p.Generation, 32)
	return v.err
}
