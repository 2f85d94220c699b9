package coordination

import (
	"testing"
	"time"

	"acc/schema"
)

const lease = `{"action":"acquire","resource":"file:a","leaseSeconds":60}`

func TestExpiryIsToldOnce(t *testing.T) {
	t.Parallel()
	for _, tell := range []struct{ tool, args string }{{"acc_status", `{}`}, {"acc_sync", `{}`}, {"acc_sync", `{"scope":"full"}`}} {
		w := newWorld(t)
		alice := w.join("alice")
		id := alice.ok("acc_claim", lease).str("claimId")
		w.pass(time.Minute)
		first := alice.ok(tell.tool, tell.args)
		equal(t, tell.tool, first.column("attention", "kind"), []string{"claim_expired"})
		equal(t, tell.tool, first.column("attention", "sourceId"), []string{id})
		equal(t, tell.tool, alice.attention(), []string{})
	}
}

func TestExpiryEndsToTheSecond(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	alice.ok("acc_claim", lease)
	w.pass(time.Minute - time.Millisecond)
	bob.refused("acc_claim", lease, schema.ReasonClaimConflict)
	w.pass(time.Millisecond)
	bob.ok("acc_status", `{}`).want("claims", `[]`) // live ones only
	bob.ok("acc_claim", lease)
	equal(t, "alice", alice.attention()[0][:13], "claim_expired")
	equal(t, "alice", alice.attention(), []string{})
}

func TestTakeOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	old := alice.ok("acc_claim", lease).str("claimId")
	w.pass(time.Minute)
	before := bob.cursor()
	bob.acquire("file:**")
	types, _ := bob.events(before)
	equal(t, "events", types, []string{"claim.expired", "claim.acquired"})

	// Not two holders.
	w.unchanged("a renewal", func() {
		alice.refused("acc_claim", `{"action":"renew","claimId":`+quoted(old)+`}`, schema.ReasonClaimConflict)
	})
	equal(t, "alice", alice.attention(), []string{"claim_expired " + old})
	equal(t, "alice", alice.attention(), []string{})

	// Free again, it can be renewed still.
	bob.ok("acc_release", `{"all":true}`)
	alice.ok("acc_claim", `{"action":"renew","claimId":`+quoted(old)+`}`).want("claimId", quoted(old))
	bob.refused("acc_claim", lease, schema.ReasonClaimConflict)
}

func TestRenewalAfterExpiry(t *testing.T) {
	t.Parallel()
	for label, before := range map[string]func(c *client){
		"untold": func(*client) {},
		"told":   func(c *client) { c.ok("acc_status", `{}`) },
	} {
		w := newWorld(t)
		alice := w.join("alice")
		id := alice.ok("acc_claim", lease).str("claimId")
		w.pass(time.Hour)
		before(alice)
		renewed := alice.ok("acc_claim", `{"action":"renew","claimId":`+quoted(id)+`}`)
		renewed.want("claimId", quoted(id))
		equal(t, label, alice.ok("acc_status", `{}`).column("claims", "claimId"), []string{id})
		equal(t, label, alice.attention(), []string{})
	}
}

func TestReacquiringReplacesTheExpired(t *testing.T) {
	t.Parallel()
	for label, before := range map[string]func(c *client){
		"untold": func(*client) {},
		"told":   func(c *client) { c.ok("acc_status", `{}`) },
	} {
		w := newWorld(t)
		alice := w.join("alice")
		old := alice.ok("acc_claim", lease).str("claimId")
		w.pass(time.Minute)
		before(alice)
		fresh := alice.ok("acc_claim", lease).str("claimId")
		if fresh == old {
			t.Errorf("%s: the old record goes on", label)
		}
		equal(t, label, alice.attention(), []string{})
		alice.refused("acc_release", `{"claimId":`+quoted(old)+`}`, schema.ReasonClaimUnknown)
		equal(t, label, alice.ok("acc_status", `{}`).column("claims", "claimId"), []string{fresh})
	}
}

func TestReleaseOfTheExpired(t *testing.T) {
	t.Parallel()
	for label, before := range map[string]func(alice, bob *client){
		"untold":     func(_, _ *client) {},
		"told":       func(alice, _ *client) { alice.ok("acc_status", `{}`) },
		"taken over": func(_, bob *client) { bob.ok("acc_claim", lease) },
	} {
		for _, selector := range []string{"claimId", "resource"} {
			w := newWorld(t)
			alice, bob := w.join("alice"), w.join("bob")
			id := alice.ok("acc_claim", lease).str("claimId")
			w.pass(time.Minute)
			before(alice, bob)
			args := `{"claimId":` + quoted(id) + `}`
			if selector == "resource" {
				args = `{"resource":"file:a"}`
			}
			alice.ok("acc_release", args).want("released", quoted(id))
			equal(t, label+" "+selector, alice.attention(), []string{})
		}
	}
}

// TestLeaseAndClock: a clock that is set back neither breaks a renewal nor
// makes a claim that ends before it begins.
func TestLeaseAndClock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.join("alice")
	id := alice.ok("acc_claim", lease).str("claimId")
	w.pass(-time.Hour)
	alice.ok("acc_claim", `{"action":"renew","claimId":`+quoted(id)+`,"leaseSeconds":60}`).want("expiresAt", `"2026-11-30T11:01:00.000Z"`)
	w.pass(-time.Hour)
	alice.ok("acc_claim", lease).want("expiresAt", `"2026-11-30T10:01:00.000Z"`)
}

// TestKeptClaimAfterTheClockWasSetBack: what lies off the ground is nobody's
// lease, whatever the clock says of it. Renewing it asks whether the ground is
// free.
func TestKeptClaimAfterTheClockWasSetBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	was := alice.ok("acc_claim", `{"action":"acquire","resource":"file:a","leaseSeconds":60}`).str("claimId")
	w.pass(2 * time.Minute)
	bob.acquire("file:a")
	w.pass(-90 * time.Second)
	alice.refused("acc_claim", `{"action":"renew","claimId":`+quoted(was)+`}`, schema.ReasonClaimConflict)
	bob.ok("acc_release", `{"all":true}`)
	alice.ok("acc_claim", `{"action":"renew","claimId":`+quoted(was)+`}`)
}
