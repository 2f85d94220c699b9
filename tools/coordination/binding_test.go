package coordination

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"acc/schema"
	"acc/tools"
)

// live is an adapter that hands mail over while it runs.
func live(id string) Adapter {
	return Adapter{ID: id, Modes: []schema.DeliveryMode{schema.LivePush}, Resident: true}
}

func (c *client) bind(a Adapter) {
	c.t.Helper()
	if err := c.room.Bind(c.t.Context(), tools.Caller{Harness: c.harness}, a); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) setPolicy(p schema.DeliveryPolicy) {
	c.t.Helper()
	if err := c.room.SetLivePolicy(c.t.Context(), tools.Caller{}, p); err != nil {
		c.t.Fatal(err)
	}
}

func TestBind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob := w.join("bob")
	a := live("exec")
	a.ClientVersion = "2.1"
	bob.bind(a)
	data, err := os.ReadFile(w.find("run/bindings/*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var b schema.Binding
	if err := schema.Decode(data, &b); err != nil {
		t.Fatal(err)
	}
	session := filepath.Base(w.find("sessions/*.json"))
	if b.ParticipantID != "bob" || b.SessionID+".json" != session || b.PID != bob.pid || b.ClientVersion != "2.1" ||
		!b.LeaseUntil.Equal(w.now.Add(120*time.Second)) {
		t.Errorf("bound as %+v", b)
	}
	rows := bob.ok("acc_status", `{}`)
	rows.want("deliveryBindings", `[{"participantId":"bob","adapterId":"exec","clientVersion":"2.1","availableModes":["livePush"],`+
		`"livePolicy":"off","reachable":true,"leaseUntil":"2026-11-30T12:02:00.000Z"}]`)
	if strings.Contains(rows.text, b.Generation) {
		t.Error("the status shows a generation")
	}
	if err := bob.room.Unbind(b.SessionID, "exec"); err != nil {
		t.Fatal(err)
	}
	bob.ok("acc_status", `{}`).want("deliveryBindings", `[]`)
}

func TestBindOfAnAdapterWithoutAProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob := w.join("bob")
	bob.bind(Adapter{ID: "codex", Modes: []schema.DeliveryMode{schema.NextTurn}})
	data, err := os.ReadFile(w.find("run/bindings/*.codex.json"))
	if err != nil {
		t.Fatal(err)
	}
	var b schema.Binding
	if err := json.Unmarshal(data, &b); err != nil || b.PID != 0 || b.Host != "" || b.ProcessStart != "" {
		t.Errorf("it has a process: %+v, %v", b, err)
	}
}

func TestPolicyIsItsOwners(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob := w.start("bob")
	ctx := t.Context()
	for range 2 { // before and after there is a room
		err := bob.room.SetLivePolicy(ctx, tools.Caller{}, schema.DeliverAll)
		if !schema.HasReason(err, schema.ReasonRecipientUnknown) {
			t.Errorf("a policy of somebody unknown: %v", err)
		}
		if _, err := os.Stat(filepath.Join(w.dir, ".acc", "run", "policies")); !os.IsNotExist(err) {
			t.Errorf("a record was made: %v", err)
		}
		w.join("alice")
	}
	bob.ok("acc_status", `{}`)
	for _, p := range []schema.DeliveryPolicy{schema.DeliverAll, schema.DeliverActionable, schema.DeliverNothing} {
		bob.setPolicy(p)
		got, err := bob.room.LivePolicy(ctx)
		if err != nil || got != (LivePolicy{"bob", p}) {
			t.Errorf("set %s, got %v, %v", p, got, err)
		}
	}
	// It needs no session and makes none.
	carol := w.start("carol")
	carol.ok("acc_finish", `{"goal":"g"}`)
	w.unchanged("setting a policy", func() { carol.setPolicy(schema.DeliverAll) })

	if got, err := w.command(Config{}).room.LivePolicy(ctx); !schema.HasReason(err, schema.ReasonCallerUnresolved) {
		t.Errorf("of nobody: %v, %v", got, err)
	}
}
