package coordination

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"acc/schema"

	"github.com/google/go-cmp/cmp"
)

func TestClaimsOverlap(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b   string
		ground string // "" where there is none
	}{
		{"file:src/app.go", "file:src/app.go", "file:src/app.go"},
		{"file:src/**", "file:src/app.go", "file:src/app.go"},
		{"file:src/**", "file:src/a/b/c.go", "file:src/a/b/c.go"},
		{"file:src/**", "file:src", "file:src"},
		{"file:src/**", "file:src/a/**", "file:src/a/**"},
		{"file:**", "file:src/app.go", "file:src/app.go"},
		{"file:**", "file:**", "file:**"},
		{"db:orders/**", "db:orders/42", "db:orders/42"},
		{"file:a/**", "file:ab/c", ""},
		{"file:src/app.go", "file:src/app", ""},
		{"file:src/app.go", "file:docs/app.go", ""},
		{"file:**", "issue:42", ""},
		{"issue:42", "ticket:42", ""},
	}
	for _, test := range tests {
		for _, order := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			w := newWorld(t)
			alice, bob := w.join("alice"), w.join("bob")
			alice.acquire(order[0])
			args := `{"action":"acquire","resource":` + quoted(order[1]) + `}`
			if test.ground == "" {
				bob.ok("acc_claim", args)
				continue
			}
			e := bob.refused("acc_claim", args, schema.ReasonClaimConflict)
			if want := "the common ground is " + test.ground; !contains(e.Message, want) {
				t.Errorf("%v: %q does not say %q", order, e.Message, want)
			}
		}
	}
}

func TestOneResourceHasOneName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := os.MkdirAll(filepath.Join(w.dir, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("src", filepath.Join(w.dir, "link")); err != nil {
		t.Fatal(err)
	}
	alice, bob := w.join("alice"), w.join("bob")
	id := alice.acquire("file:src/a.go")
	for _, name := range []string{
		"file:./src/a.go", "file:src//a.go", "file:src/x/../a.go", "file:" + w.dir + "/src/a.go", "file:link/a.go", "FILE:src/a.go",
	} {
		bob.refused("acc_claim", `{"action":"acquire","resource":`+quoted(name)+`}`, schema.ReasonClaimConflict)
		again := alice.ok("acc_claim", `{"action":"acquire","resource":`+quoted(name)+`}`)
		again.want("resource", `"file:src/a.go"`)
		again.want("claimId", quoted(id))
	}
	alice.ok("acc_release", `{"resource":"file:link/a.go"}`).want("released", quoted(id))
}

func TestModes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		held, wanted string
		free         bool
	}{{"exclusive", "exclusive", false}, {"exclusive", "shared", false}, {"shared", "exclusive", false}, {"shared", "shared", true}} {
		w := newWorld(t)
		alice, bob := w.join("alice"), w.join("bob")
		alice.ok("acc_claim", `{"action":"acquire","resource":"file:a","mode":"`+test.held+`"}`)
		args := `{"action":"acquire","resource":"file:a","mode":"` + test.wanted + `"}`
		if test.free {
			bob.ok("acc_claim", args).want("mode", quoted(test.wanted))
		} else {
			bob.refused("acc_claim", args, schema.ReasonClaimConflict)
		}
	}
}

func TestModeChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	shared, exclusive := `{"action":"acquire","resource":"file:a","mode":"shared"}`, `{"action":"acquire","resource":"file:a"}`
	id := alice.ok("acc_claim", exclusive).str("claimId")
	changed := alice.ok("acc_claim", shared)
	changed.want("claimId", quoted(id))
	changed.want("mode", `"shared"`)
	bob.ok("acc_claim", shared)
	w.unchanged("a mode that is not free", func() { alice.refused("acc_claim", exclusive, schema.ReasonClaimConflict) })
	bob.ok("acc_release", `{"all":true}`)
	alice.ok("acc_claim", exclusive).want("mode", `"exclusive"`)
}

func TestBatchIsAllOrNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob, carol := w.join("alice"), w.join("bob"), w.join("carol")
	bob.ok("acc_claim", `{"action":"acquire","resource":"file:b","reason":"busy","leaseSeconds":600}`)
	carol.ok("acc_claim", `{"action":"acquire","resource":"file:c/**","mode":"shared"}`)
	mine := alice.ok("acc_claim", `{"action":"acquire","resource":"file:a"}`)
	w.pass(time.Minute)
	carol.kill()
	w.pass(onlineFor)
	bob.ok("acc_status", `{}`)

	var e *schema.Error
	w.unchanged("a conflict", func() {
		e = alice.refused("acc_claim", `{"action":"acquire","resources":["file:a","file:c/x","file:d","file:**"]}`, schema.ReasonClaimConflict)
	})
	got, err := json.Marshal(e.Details["conflicts"])
	if err != nil {
		t.Fatal(err)
	}
	status := alice.ok("acc_status", `{}`)
	bobs, carols := status.str("claims.0.claimId"), status.str("claims.1.claimId")
	holderB := `{"claimId":"` + bobs + `","resource":"file:b","mode":"exclusive","reason":"busy","ownerSessionId":` +
		quoted(status.str("claims.0.ownerSessionId")) + `,"ownerParticipantId":"bob","ownerPresence":"online","expiresAt":"2026-11-30T12:10:00.000Z"}`
	holderC := `{"claimId":"` + carols + `","resource":"file:c/**","mode":"shared","reason":null,"ownerSessionId":` +
		quoted(status.str("claims.1.ownerSessionId")) + `,"ownerParticipantId":"carol","ownerPresence":"offline","expiresAt":"2026-11-30T12:30:00.000Z"}`
	want := `[{"resource":"file:c/x","holders":[` + holderC + `]},{"resource":"file:**","holders":[` + holderB + `,` + holderC + `]}]`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	if !contains(e.Message, "offline") || !contains(e.Message, "file:c/x") {
		t.Errorf("the message is %q", e.Message)
	}

	// Free ground is taken as one; what is held already is renewed.
	batch := alice.ok("acc_claim", `{"action":"acquire","resources":["file:a","file:d"]}`)
	batch.want("claims.0.claimId", quoted(mine.str("claimId")))
	batch.want("claims.0.expiresAt", `"2026-11-30T12:34:00.000Z"`)
	equal(t, "claims", len(batch.list("claims")), 2)
	// Own claims never conflict.
	alice.ok("acc_claim", `{"action":"acquire","resources":["file:d/**","file:d/x"]}`)
}

func TestLeases(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.join("alice")
	for args, ends := range map[string]string{
		``: "2026-11-30T12:30:00.000Z", `,"leaseSeconds":1`: "2026-11-30T12:00:01.000Z", `,"leaseSeconds":604800`: "2026-12-07T12:00:00.000Z",
	} {
		alice.ok("acc_claim", `{"action":"acquire","resource":"file:a"`+args+`}`).want("expiresAt", quoted(ends))
	}
	id := alice.acquire("file:a")
	w.pass(time.Minute)
	renewed := alice.ok("acc_claim", `{"action":"renew","claimId":`+quoted(id)+`,"leaseSeconds":60}`)
	renewed.want("expiresAt", `"2026-11-30T12:02:00.000Z"`)
	renewed.want("acquiredAt", `"2026-11-30T12:00:00.000Z"`)
}

func TestReasonIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.join("alice")
	alice.ok("acc_claim", `{"action":"acquire","resource":"file:a","reason":"one"}`)
	alice.ok("acc_claim", `{"action":"acquire","resource":"file:a"}`).want("reason", `"one"`)
	alice.ok("acc_claim", `{"action":"acquire","resource":"file:a","reason":"two"}`).want("reason", `"two"`)
}

func TestForeignClaims(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	bobs := quoted(bob.acquire("file:b"))
	alices := quoted(alice.acquire("file:a"))
	w.unchanged("foreign targets", func() {
		for _, call := range []struct{ tool, args string }{
			{"acc_claim", `{"action":"renew","claimId":` + bobs + `}`},
			{"acc_release", `{"claimId":` + bobs + `}`},
			{"acc_release", `{"claimIds":[` + alices + `,` + bobs + `]}`},
			{"acc_release", `{"resource":"file:b"}`},
			{"acc_release", `{"resources":["file:a","file:b"]}`},
		} {
			e := alice.refused(call.tool, call.args, schema.ReasonClaimNotOwned)
			if !contains(e.Message, "bob") {
				t.Errorf("%q does not name the owner", e.Message)
			}
		}
		alice.refused("acc_release", `{"resources":["file:a","file:z"]}`, schema.ReasonClaimUnknown)
		alice.refused("acc_release", `{"claimIds":[`+alices+`,"`+someClaim+`"]}`, schema.ReasonClaimUnknown)
		alice.refused("acc_release", `{"resource":"file:**"}`, schema.ReasonClaimUnknown) // exactly that resource
	})
}

func TestReleaseSelectors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	bobs := bob.acquire("file:z")
	ids := map[string]string{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		ids[name] = quoted(alice.acquire("file:" + name))
	}
	for _, step := range []struct{ args, want string }{
		{`{"claimId":` + ids["a"] + `}`, ids["a"]},
		{`{"claimIds":[` + ids["b"] + `]}`, `[` + ids["b"] + `]`},
		{`{"resource":"file:c"}`, ids["c"]},
		{`{"resources":["file:d"]}`, `[` + ids["d"] + `]`},
		{`{"all":true}`, `[` + ids["e"] + `,` + ids["f"] + `]`},
	} {
		alice.ok("acc_release", step.args).want("released", step.want)
		if step.args != `{"all":true}` {
			alice.quiet("a repeat", func() { alice.refused("acc_release", step.args, schema.ReasonClaimUnknown) })
		}
	}
	alice.ok("acc_release", `{"all":true}`).want("released", `[]`)
	equal(t, "claims", bob.ok("acc_status", `{}`).column("claims", "claimId"), []string{bobs})

	// Session and intent stay.
	alice.ok("acc_work", `{"summary":"s","mode":"edit"}`)
	alice.acquire("file:a")
	alice.ok("acc_release", `{"all":true}`)
	status := alice.ok("acc_status", `{}`)
	status.want("participants.0.intent", `"s"`)
	status.want("participants.0.presence", `"online"`)
}

func TestPresenceReleasesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	alice.acquire("file:a")
	alice.kill()
	w.pass(29 * time.Minute)
	e := bob.refused("acc_claim", `{"action":"acquire","resource":"file:a"}`, schema.ReasonClaimConflict)
	if !contains(e.Message, "offline") {
		t.Errorf("%q does not say that the holder is offline", e.Message)
	}
	w.pass(time.Minute)
	bob.acquire("file:a")
}
