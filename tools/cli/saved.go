package cli

import (
	"errors"
	"io/fs"

	"acc/fsstore"
	"acc/schema"
	"acc/tools/coordination"
)

// saved is the pair that acc attach --save kept for a participant.
func (a *App) saved(w fsstore.Workspace, participant string) (*coordination.Credentials, error) {
	if err := schema.CheckParticipantID("as", participant); err != nil {
		return nil, err
	}
	p, err := fsstore.SavedPair(w.Root, participant)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, schema.Fail(schema.ReasonCallerUnresolved,
			"no session is kept here for %s. Type: acc attach --participant %s --save", participant, participant)
	}
	if err != nil {
		return nil, err
	}
	return &coordination.Credentials{SessionID: p.SessionID, Generation: p.Generation}, nil
}
