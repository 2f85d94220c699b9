package fsstore

import (
	"errors"
	"io/fs"
	"path"

	"acc/schema"
)

// savedDir holds the pairs that people keep for their next commands. It lies
// in run/, which is for its owner alone and never travels.
const savedDir = "run/saved"

func savedName(participant string) string {
	return path.Join(savedDir, checkedParticipant(participant)+jsonExt)
}

// SavePair keeps a pair for its participant, over an older one. Losing it in
// a power cut costs no more than attaching again, so it is not synced.
func (s *Store) SavePair(p *schema.SavedPair) error {
	data, err := schema.Encode(p)
	if err != nil {
		return err
	}
	if err := s.place(savedName(p.ParticipantID), data); err != nil {
		return ioError("keep the session", err)
	}
	return nil
}

// SavedPair reads the pair kept for a participant of the room in dir, or fails
// with fs.ErrNotExist. It opens no room.
func SavedPair(dir, participant string) (schema.SavedPair, error) {
	var p schema.SavedPair
	root, err := openRoom(dir)
	if errors.Is(err, ErrNoRoom) {
		return p, fs.ErrNotExist
	}
	if err != nil {
		return p, err
	}
	defer root.Close()
	data, err := root.ReadFile(savedName(participant))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, fs.ErrNotExist
	case err != nil:
		return p, ioError("read the saved session", err)
	}
	if err := schema.Decode(data, &p); err != nil {
		return p, err
	}
	if p.ParticipantID != participant {
		return p, fs.ErrNotExist // a file system that folds case found another one
	}
	return p, nil
}
