package roomgen

import (
	"errors"
	"fmt"

	"acc/fsstore"
	"acc/schema"
)

// names are the first participants; the others have numbers.
var names = []string{"alice", "bob", "carol", "codex"}

func participant(i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("agent-%d", i+1)
}

// people makes every participant known and opens a session for each.
func (g *generator) people(tx *fsstore.Tx) error {
	for i := range g.cfg.Participants {
		if err := g.join(tx, participant(i)); err != nil {
			return err
		}
	}
	return nil
}

func (g *generator) join(tx *fsstore.Tx, name string) error {
	id, err := tx.NewID(schema.IDSession)
	if err != nil {
		return err
	}
	began := schema.At(tx.Now())
	s := schema.Session{
		SchemaVersion: schema.Version, SessionID: id, ParticipantID: name,
		Generation: fmt.Sprintf("%016x%016x", g.random.Uint64(), g.random.Uint64()), Harness: "codex",
		State: schema.SessionOpen, CheckoutRoot: g.dir, Enforcement: schema.Advisory, Lifecycle: schema.Manual, StartedAt: began,
	}
	g.room.Participants, g.room.Sessions = append(g.room.Participants, name), append(g.room.Sessions, s)
	return errors.Join(
		tx.PutParticipant(&schema.Participant{
			SchemaVersion: schema.Version, ParticipantID: name, DisplayName: name, Kind: schema.Agent, CreatedAt: began,
		}),
		tx.PutSession(&s),
		tx.Event(schema.EventParticipantJoined, id, schema.Payload{ParticipantID: name}),
		tx.Event(schema.EventSessionOpened, id, schema.Payload{ParticipantID: name, SessionID: id}),
	)
}
