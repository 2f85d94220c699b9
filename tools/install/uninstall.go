package install

import (
	"os"
	"slices"

	"acc/tools/delivery/client"
)

func (r *run) uninstall(c client.Client) (Outcome, error) {
	rec := r.ledger.Clients[c.ID]
	o := Outcome{State: Absent, Files: []FileChange{}}
	if rec == nil {
		return o, nil
	}
	o.State, o.Participant, o.Delivery = Removed, rec.Participant, rec.Delivery
	var changes []change
	for _, f := range rec.Files {
		if r.ledger.sharedBy(c.ID, f.Path) != "" {
			o.Files = append(o.Files, FileChange{Path: r.shown(f.Path), State: Shared, Edited: []string{}})
			continue
		}
		ch, err := r.planRemoval(c, f)
		if err != nil {
			return r.refuse(o, f.Path, err), nil
		}
		changes = append(changes, ch)
		o.Files = append(o.Files, r.show(ch))
	}
	delete(r.ledger.Clients, c.ID)
	if err := r.commit(changes, false); err != nil {
		return o, err
	}
	if !r.opt.DryRun {
		removeDirs(rec, changes)
	}
	return o, nil
}

// removeDirs removes the directories that were made, where they are empty.
func removeDirs(rec *record, changes []change) {
	for _, ch := range changes {
		noted := rec.file(ch.file.path)
		if ch.after != nil || noted == nil {
			continue
		}
		for _, dir := range slices.Backward(noted.Dirs) {
			_ = os.Remove(dir) // stays when there is something in it
		}
	}
}
