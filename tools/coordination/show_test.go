package coordination

import (
	"context"
	"strings"
	"testing"
	"time"

	"acc/schema"
)

func TestShowFindsPieces(t *testing.T) {
	w := newWorld(t)
	alice := w.join("alice")
	bob := w.join("bob")
	asked := alice.ask("bob", "q")
	claim := bob.acquire("file:a")
	session := bob.ok("acc_status", `{}`).str("sessionId")
	r := w.reader(nil)
	for _, id := range []string{asked, claim, session} {
		suffix := schema.IDSuffix(id)
		for _, written := range []string{
			id, strings.ToUpper(id), suffix, suffix[18:], suffix[:25], "…" + suffix[12:], string(idKind(id)) + "_" + suffix[:24],
			string(idKind(id)) + "_…" + suffix[18:], " " + id + "\n",
		} {
			got, err := r.Show(context.Background(), written)
			if err != nil || got.ID != id || got.Type != idKind(id) {
				t.Errorf("%q: %+v, %v; want %s", written, got, err, id)
			}
		}
	}
	_, err := r.Show(context.Background(), schema.IDSuffix(asked)[:6])
	e := schema.AsError(err)
	found, _ := e.Details["candidates"].([]string)
	if e.Reason != schema.ReasonIDAmbiguous || len(found) < 3 || !strings.Contains(e.Message, asked) {
		t.Errorf("an ambiguous piece: %v, %v", err, found)
	}
	for written, reason := range map[string]schema.Reason{
		"": schema.ReasonInvalidField, "abc": schema.ReasonInvalidField, "claim_01": schema.ReasonInvalidField,
		"zzzzzzzz": schema.ReasonIDUnknown, "message_" + schema.IDSuffix(claim): schema.ReasonIDUnknown,
		"claim_" + schema.IDSuffix(asked): schema.ReasonIDUnknown, "session_" + schema.IDSuffix(asked): schema.ReasonIDUnknown,
		"../../secret": schema.ReasonIDUnknown, "\x1b[2J\u202eabcdef": schema.ReasonIDUnknown,
	} {
		if _, err := r.Show(context.Background(), written); !schema.HasReason(err, reason) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v; want %s", written, err, reason)
		}
	}
}

func TestShowClaimAfterItsEnd(t *testing.T) {
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	claim := alice.acquire("file:a")
	r := w.reader(nil)
	state := func(want ClaimState) {
		t.Helper()
		got, err := r.Show(context.Background(), claim)
		if err != nil || got.Claim.State != want || got.Claim.Record.OwnerParticipantID != "alice" {
			t.Errorf("%+v, %v; want %s", got.Claim, err, want)
		}
	}
	state(ClaimLive)
	w.pass(time.Hour)
	state(ClaimEnded)
	bob.acquire("file:a") // takes the ground over
	state(ClaimEnded)
	alice.ok("acc_finish", `{"goal":"g"}`)
	if _, err := r.Show(context.Background(), claim); !schema.HasReason(err, schema.ReasonIDUnknown) {
		t.Errorf("a claim of which nothing is kept: %v", err)
	}
}

func TestShowDecisionLinks(t *testing.T) {
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	decide := func(c *client, more string) string {
		return c.ok("acc_message", `{"to":[],"kind":"decision","subject":"s","body":"b"`+more+`}`).str("message.messageId")
	}
	first := decide(alice, "")
	second := decide(bob, `,"supersedes":["`+first+`"]`)
	third := decide(alice, `,"withdraws":["`+first+`"]`)
	got, err := w.reader(nil).Show(context.Background(), first)
	if err != nil {
		t.Fatal(err)
	}
	m := got.Message
	if len(m.ChangedBy) != 2 || m.ChangedBy[0] != (DecisionChanger{second, "bob", schema.Replace}) ||
		m.ChangedBy[1] != (DecisionChanger{third, "alice", schema.Withdraw}) {
		t.Errorf("changed by %+v", m.ChangedBy)
	}
	if !m.DecisionStatus.Conflicted || m.DecisionStatus.State != schema.DecisionSuperseded || len(m.Thread) != 0 {
		t.Errorf("%+v, thread %v", m.DecisionStatus, m.Thread)
	}
}
