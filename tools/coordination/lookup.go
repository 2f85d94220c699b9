package coordination

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"acc/fsstore"
	"acc/schema"
)

// minPiece is the least that a piece of an id may have. Less would fit half of
// the room.
const minPiece = 4

// maxCandidates bounds a refusal.
const maxCandidates = 20

// findID settles what a person wrote for an id: the whole of it, or a piece
// that one id alone begins or ends with, behind the kind or without it.
func findID(v *fsstore.View, written string, kinds ...schema.IDKind) (id string, kind schema.IDKind, err error) {
	written = strings.ToLower(strings.Trim(strings.TrimSpace(written), "…"))
	piece := written
	for _, kind := range kinds {
		if schema.ValidID(kind, written) {
			return written, kind, nil
		}
		if rest, ok := strings.CutPrefix(written, string(kind)+"_"); ok {
			piece, kinds = strings.TrimPrefix(rest, "…"), []schema.IDKind{kind}
		}
	}
	if len(piece) < minPiece {
		return "", "", schema.Fail(schema.ReasonInvalidField,
			"%q is too short for an id; give at least %d characters of its beginning or its end.", schema.Visible(written, 80), minPiece)
	}
	found, err := withPiece(v, piece, kinds)
	switch {
	case err != nil:
		return "", "", err
	case len(found) == 0:
		return "", "", unknownID(written)
	case len(found) > 1:
		return "", "", ambiguousID(written, found)
	}
	return found[0], idKind(found[0]), nil
}

// withPiece lists the ids that begin or end with a piece, each once.
func withPiece(v *fsstore.View, piece string, kinds []schema.IDKind) ([]string, error) {
	var found []string
	for _, kind := range kinds {
		ids, err := v.IDs(kind)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			suffix := schema.IDSuffix(id)
			if strings.HasPrefix(suffix, piece) || strings.HasSuffix(suffix, piece) {
				found = append(found, id)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

func idKind(id string) schema.IDKind {
	kind, _, _ := strings.Cut(id, "_")
	return schema.IDKind(kind)
}

func ambiguousID(written string, found []string) error {
	shown := found[:min(len(found), maxCandidates)]
	more := ""
	if len(found) > len(shown) {
		more = ", and others"
	}
	return schema.Fail(schema.ReasonIDAmbiguous, "%q fits %d ids: %s%s. Give more of the one you mean.",
		schema.Visible(written, 80), len(found), strings.Join(shown, ", "), more).With("candidates", shown)
}

func unknownID(written string) error {
	return schema.Fail(schema.ReasonIDUnknown,
		"nothing in this room has the id %q, or one that begins or ends so; acc log lists messages, acc status claims and sessions.",
		schema.Visible(written, 80)).With("id", schema.Visible(written, 80))
}

// findMessage finds a message by what a person wrote for its id.
func findMessage(v *fsstore.View, written string) (schema.Message, error) {
	id, _, err := findID(v, written, schema.IDMessage)
	if err != nil {
		return schema.Message{}, err
	}
	m, err := v.Message(id)
	if errors.Is(err, fs.ErrNotExist) {
		err = unknownID(id)
	}
	return m, err
}
