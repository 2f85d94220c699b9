package coordination

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// published are the files of the world that go with the code, by name.
func (w *world) published() map[string]string {
	w.t.Helper()
	files := map[string]string{}
	for name, data := range w.tree() {
		if strings.HasPrefix(name, ".acc/handoffs/") || strings.HasPrefix(name, ".acc/decisions/") {
			files[name] = data
		}
	}
	return files
}

// stored is the room's own copy of a published file.
func (w *world) stored(published string) string {
	w.t.Helper()
	id, _ := strings.CutSuffix(filepath.Base(published), ".json")
	for name, data := range w.tree() {
		if strings.HasPrefix(name, ".acc/messages/") && strings.HasPrefix(filepath.Base(name), id+".") {
			return data
		}
	}
	return ""
}

func TestHandoffsAndDecisionsArePublished(t *testing.T) {
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	alice.send("bob", "a note")
	first := alice.ok("acc_message", `{"to":[],"subject":"tabs","body":"tabs","kind":"decision","clientMessageId":"d"}`).str("message.messageId")
	alice.ok("acc_message", `{"to":[],"subject":"tabs","body":"tabs","kind":"decision","clientMessageId":"d"}`)
	second := bob.ok("acc_message", `{"to":[],"subject":"no","body":"no","kind":"decision","withdraws":["`+first+`"]}`).str("message.messageId")
	handoff := alice.ok("acc_finish", `{"goal":"done","clientMessageId":"f"}`).str("message.messageId")
	files := w.published()
	for _, name := range []string{"decisions/" + first, "decisions/" + second, "handoffs/" + handoff} {
		data := files[".acc/"+name+".json"]
		if data == "" || data != w.stored(name+".json") {
			t.Errorf("%s: the published file is %q", name, data)
		}
	}
	if len(files) != 3 {
		t.Errorf("published: %d files", len(files))
	}

	// A retry after Git took the file away does not bring it back.
	if err := os.Remove(filepath.Join(w.dir, ".acc", "handoffs", handoff+".json")); err != nil {
		t.Fatal(err)
	}
	again := alice.restart().ok("acc_finish", `{"goal":"done","clientMessageId":"f"}`).str("message.messageId")
	if again != handoff || len(w.published()) != 2 {
		t.Errorf("the retry published again: %s", again)
	}
}

// move puts the published files of one world into another, as Git would.
func (w *world) move(to *world) {
	w.t.Helper()
	for name, data := range w.published() {
		full := filepath.Join(to.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(data), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
}

func TestFirstCallImports(t *testing.T) {
	here, there := newWorld(t), newWorld(t)
	here.join("bob")
	here.join("carol")
	here.join("alice").ok("acc_finish", `{"goal":"over to bob","toParticipantId":"bob"}`)
	here.join("dave").ok("acc_finish", `{"goal":"over to carol","toParticipantId":"carol"}`)
	here.move(there)

	bob := there.join("bob")
	equal(t, "bob's mail", bob.ok("acc_inbox", `{}`).column("items", "message.subject"), []string{"over to bob"})
	carol := there.join("carol") // known only now
	equal(t, "carol's mail", carol.ok("acc_inbox", `{}`).column("items", "message.subject"), []string{"over to carol"})
	types, _ := bob.events("0000000000000000")
	if n := len(slices.DeleteFunc(types, func(e string) bool { return e != "message.imported" })); n != 2 {
		t.Errorf("%d imports in the log", n)
	}
	id := carol.ok("acc_inbox", `{}`).column("items", "message.messageId")[0]
	carol.ok("acc_inbox", `{"messageId":"`+id+`"}`)
	carol.ok("acc_reply", `{"messageId":"`+id+`","body":"thanks"}`) // to somebody who is not known here
}

// Nothing is imported before the room is in use, and everything afterwards.
func TestKeepImporting(t *testing.T) {
	here, there := newWorld(t), newWorld(t)
	bob := there.start("bob")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan struct{})
	go func() { bob.room.KeepImporting(ctx, time.Millisecond); close(done) }()
	here.join("bob")
	here.join("alice").ok("acc_finish", `{"goal":"over to bob","toParticipantId":"bob"}`)
	here.move(there)
	bob.ok("acc_status", `{}`)
	here.join("alice").ok("acc_finish", `{"goal":"over once more","toParticipantId":"bob"}`)
	here.move(there)
	for end := time.Now().Add(10 * time.Second); ; {
		if len(bob.ok("acc_inbox", `{}`).column("items", "message.subject")) == 2 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the second handoff was not imported")
		}
	}
	cancel()
	<-done
}
