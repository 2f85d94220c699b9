package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"testing"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
)

// messagesPerWrite is how many messages one transaction of a large room holds.
const messagesPerWrite = 100

// largeRoom makes a room in dir with alice and bob, and n notes from alice to
// bob of which the last open ones are unread. It returns bob's session.
func largeRoom(tb testing.TB, dir string, n, open int) coordination.Attached {
	tb.Helper()
	alice, bob := join(tb, dir, "alice"), join(tb, dir, "bob")
	store, err := fsstore.Open(dir, quietEnv())
	if err != nil {
		tb.Fatal(err)
	}
	for i := 0; i < n; i += messagesPerWrite {
		err := store.Update(context.Background(), func(tx *fsstore.Tx) error {
			for j := i; j < min(i+messagesPerWrite, n); j++ {
				if err := writeNote(tx, alice, bob, j, j >= n-open); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		tb.Fatal(err)
	}
	return bob
}

func writeNote(tx *fsstore.Tx, from, to coordination.Attached, i int, unread bool) error {
	id, err := tx.NewID(schema.IDMessage)
	if err != nil {
		return err
	}
	sent := schema.At(schema.IDTime(id))
	m := &schema.Message{
		SchemaVersion: schema.Version, MessageID: id, ThreadID: id, ClientMessageID: fsstore.GeneratedKey(id),
		WorkspaceID: tx.Workspace().WorkspaceID, FromParticipantID: from.ParticipantID, FromSessionID: from.SessionID,
		ToParticipantIDs: []string{to.ParticipantID}, Kind: schema.Note, Obligation: schema.OweNothing,
		Subject: fmt.Sprintf("note %d", i), Body: "as agreed", Artifacts: []string{}, SentAt: sent,
	}
	r := &schema.Receipt{
		SchemaVersion: schema.Version, MessageID: id, RecipientParticipantID: to.ParticipantID, State: schema.Acknowledged, UpdatedAt: sent,
	}
	if unread {
		r.State = schema.Queued
	}
	if err := tx.AddMessage(m); err != nil {
		return err
	}
	if err := tx.PutReceipt(m, "", r); err != nil {
		return err
	}
	return tx.Event(schema.EventMessageSent, from.SessionID, schema.Payload{MessageID: id, Kind: m.Kind})
}

func join(tb testing.TB, dir, name string) coordination.Attached {
	tb.Helper()
	w, err := fsstore.Locate(dir)
	if err != nil {
		tb.Fatal(err)
	}
	room := coordination.NewRoom(coordination.Config{Workspace: w, ParticipantID: name, Env: quietEnv()})
	session, err := room.Attach(context.Background(), tools.Caller{Harness: "cli"})
	if err == nil {
		err = room.Close()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return session
}

func quietEnv() fsstore.Env {
	env := fsstore.RealEnv(slog.New(slog.NewTextHandler(io.Discard, nil)))
	env.Process = fsstore.Process{Host: env.Process.Host}
	return env
}
