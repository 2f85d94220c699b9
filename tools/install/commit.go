package install

import (
	"bytes"
	"errors"
	"os"

	"acc/schema"
	"acc/tools"
)

// commit writes the ledger and the files, in a dry run only to memory.
func (r *run) commit(changes []change, ledgerFirst bool) error {
	if !r.opt.DryRun && ledgerFirst {
		if err := r.ledger.save(); err != nil {
			return err
		}
	}
	for _, ch := range changes {
		if bytes.Equal(ch.file.data, ch.after) && (ch.file.data == nil) == (ch.after == nil) {
			continue
		}
		if r.opt.DryRun {
			r.planned[ch.file.path] = ch.after
			continue
		}
		if err := ch.write(); err != nil {
			return schema.Fail(schema.ReasonStoreFailed, "%s could not be written: %s. Run the command again once that is mended; it goes on where it stopped.",
				r.shown(ch.file.path), tools.Cause(err)).Because(err)
		}
	}
	if r.opt.DryRun || ledgerFirst {
		return nil
	}
	return r.ledger.save()
}

var errMeanwhile = errors.New("it was changed meanwhile")

// write makes a change, unless somebody else changed the file since it was read.
func (ch *change) write() error {
	now, err := os.ReadFile(ch.file.real)
	if err == nil && !bytes.Equal(now, ch.file.data) || err != nil && ch.file.data != nil || err == nil && ch.file.data == nil {
		return errMeanwhile
	}
	if ch.after == nil {
		return os.Remove(ch.file.real)
	}
	return ch.file.replace(ch.after)
}
