package fsstore

import (
	"errors"
	"io/fs"
	"path/filepath"

	"acc/schema"
)

// Publication is a message that is in the room and has still to appear in a
// checkout. The note of it is part of the transaction that sends the message,
// so that no crash loses the file, and is taken back by a second one, so that
// no recovery brings back a file that Git has taken away since.
type Publication struct {
	SchemaVersion int                `json:"schemaVersion"`
	MessageID     string             `json:"messageId"`
	Kind          schema.MessageKind `json:"kind"`
	Checkout      string             `json:"checkout"`   // top of the checkout, "" for the room's own directory
	Attributes    bool               `json:"attributes"` // .gitattributes comes with it
}

// Validate checks what the note is used for.
func (p *Publication) Validate() error {
	ok := p.SchemaVersion == schema.Version && schema.ValidID(schema.IDMessage, p.MessageID) &&
		publishedName(p.MessageID, p.Kind) != "" && (p.Checkout == "" || filepath.IsAbs(p.Checkout))
	if !ok {
		return schema.Fail(schema.ReasonRecordDamaged, "the note of a publication is damaged")
	}
	return nil
}

// Publish lets a message that this transaction sends appear also in the
// checkout that its author works in, byte for byte, where it waits to be
// committed with the code it speaks of. That is done once the transaction is
// decided, and never fails it: the message is in the room. Kinds that do not
// go with the code are left alone.
func (tx *Tx) Publish(m *schema.Message, w Workspace) error {
	if publishedName(m.MessageID, m.Kind) == "" {
		return nil
	}
	p := Publication{SchemaVersion: schema.Version, MessageID: m.MessageID, Kind: m.Kind}
	if top := w.base(); top != w.Root {
		p.Checkout = top
	}
	first, err := tx.markAttributes()
	if err != nil {
		return err
	}
	p.Attributes = first && !w.hasAttributes()
	if err := tx.put(outboxName(p.MessageID), &p); err != nil {
		return err
	}
	tx.outbox = append(tx.outbox, p)
	return nil
}

// markAttributes reports, once in the life of a room, that nobody has seen to
// .gitattributes yet. It is made by the first file that is published and never
// again: Git refuses to merge or check out a branch that carries a file which
// lies untracked in the way, be it the same to the last byte.
func (tx *Tx) markAttributes() (first bool, err error) {
	if _, err := tx.read(attributesMark); !errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	tx.putData(attributesMark, []byte{})
	return true, nil
}
