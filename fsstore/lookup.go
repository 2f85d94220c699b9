package fsstore

import (
	"io/fs"
	"path"

	"acc/schema"
)

// IDs lists the ids of one kind that the room has records of, by name only:
// messages newest first, claims on the ground and off it, sessions open and
// closed. It is for people who have a piece of an id.
func (v *View) IDs(kind schema.IDKind) ([]string, error) {
	switch kind {
	case schema.IDMessage:
		return v.messageIDs()
	case schema.IDClaim:
		return v.claimIDs()
	case schema.IDSession:
		return v.idsIn(schema.IDSession, sessionsDir, closedDir)
	}
	return nil, nil
}

func (v *View) messageIDs() ([]string, error) {
	var ids []string
	for ref, err := range v.History("") {
		if err != nil {
			return nil, err
		}
		ids = append(ids, ref.MessageID)
	}
	return ids, nil
}

func (v *View) claimIDs() ([]string, error) {
	ids, err := v.idsIn(schema.IDClaim, claimsDir, releasesDir)
	if err != nil {
		return nil, err
	}
	err = v.eachKept(func(_, base string) bool {
		id, _, _ := parseExpired(base)
		ids = append(ids, id)
		return true
	})
	return ids, err
}

// idsIn lists the ids in directories whose files are named by one.
func (v *View) idsIn(kind schema.IDKind, dirs ...string) ([]string, error) {
	var ids []string
	for _, dir := range dirs {
		names, err := v.names(dir, parsesAs(kind))
		if err != nil {
			return nil, err
		}
		for _, base := range names {
			id, _ := parseID(kind, base)
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// eachKept visits what is kept of expired claims, until visit says false.
func (v *View) eachKept(visit func(dir, base string) bool) error {
	folders, err := v.list(expiredDir)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		dir := expiredFolder(folder.Name())
		names, err := v.names(dir, func(base string) bool {
			_, _, ok := parseExpired(base)
			return ok
		})
		if err != nil {
			return err
		}
		for _, base := range names {
			if !visit(dir, base) {
				return nil
			}
		}
	}
	return nil
}

// KeptClaim returns a claim that is kept for whoever held it when its lease
// ended, or fs.ErrNotExist.
func (v *View) KeptClaim(id string) (schema.Claim, error) {
	found := ""
	err := v.eachKept(func(dir, base string) bool {
		if kept, _, _ := parseExpired(base); kept == id {
			found = path.Join(dir, base)
		}
		return found == ""
	})
	switch {
	case err != nil:
		return schema.Claim{}, err
	case found == "":
		return schema.Claim{}, fs.ErrNotExist
	}
	var c schema.Claim
	err = v.load(found, &c)
	return c, err
}
