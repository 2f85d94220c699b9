//go:build unix

package fsstore

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"acc/schema"
)

// planted are ways to put something foreign where a file should be.
func planted(t *testing.T) map[string]func(full string) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string]func(string){
		"directory":     func(full string) { must(os.Mkdir(full, 0o755)) },
		"symlink":       func(full string) { must(os.Symlink("/etc/passwd", full)) },
		"dangling link": func(full string) { must(os.Symlink("nowhere", full)) },
		"pipe":          func(full string) { must(syscall.Mkfifo(full, 0o644)) },
	}
}

// damages are contents that are no record, made of one that is.
func damages(good []byte) map[string][]byte {
	return map[string][]byte{
		"empty":         {},
		"zeros":         make([]byte, len(good)),
		"truncated":     good[:len(good)/2],
		"garbage":       []byte("\x7fELF\x00\xff\xfe not json"),
		"duplicate key": bytes.Replace(good, []byte(`"subject"`), []byte("\"subject\": \"twice\",\n  \"subject\""), 1),
		"unknown field": bytes.Replace(good, []byte(`"subject"`), []byte("\"priority\": 1,\n  \"subject\""), 1),
		"hostile reply": bytes.Replace(good, []byte(`"inReplyTo": null`), []byte(`"inReplyTo": "../../etc/passwd"`), 1),
		"hostile id":    bytes.Replace(good, []byte(`"threadId": "`), []byte(`"threadId": "../`), 1),
		"two values":    append(bytes.Clone(good), good...),
		"other version": bytes.Replace(good, []byte(`"schemaVersion": 1`), []byte(`"schemaVersion": 9`), 1),
	}
}

// TestDamagedMessage: a damaged message is reported once, hides nothing else
// and stays as it is, also when the room is closed and opened again.
func TestDamagedMessage(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	var good []*schema.Message
	for range 3 {
		good = append(good, send(t, s, me, note("bob")))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	bad := good[1]
	full := filepath.Join(dir, roomDir, filepath.FromSlash(messageName(bad.MessageID, bad.Kind)))
	whole, err := os.ReadFile(full)
	if err != nil {
		t.Fatal(err)
	}
	for what, data := range damages(whole) {
		t.Run(what, func(t *testing.T) {
			if bytes.Equal(data, whole) {
				t.Fatal("not damaged")
			}
			if err := os.WriteFile(full, data, 0o644); err != nil {
				t.Fatal(err)
			}
			checkContained(t, dir, bad, good)
			if now, err := os.ReadFile(full); err != nil || !bytes.Equal(now, data) {
				t.Errorf("the file was changed: %q, %v", now, err)
			}
		})
	}
	for what, plant := range planted(t) {
		t.Run(what, func(t *testing.T) {
			if err := os.RemoveAll(full); err != nil {
				t.Fatal(err)
			}
			plant(full)
			before, _ := os.Lstat(full)
			checkContained(t, dir, bad, good)
			if after, err := os.Lstat(full); err != nil || !os.SameFile(before, after) {
				t.Errorf("it was changed: %v", err)
			}
		})
	}
}

// checkContained reads a room with one damaged message.
func checkContained(t *testing.T, dir string, bad *schema.Message, all []*schema.Message) {
	t.Helper()
	var log testLog
	s := openTestRoom(t, dir, &log)
	defer s.Close()
	for range 2 {
		view(t, s, func(v *View) error {
			if _, err := v.Message(bad.MessageID); !schema.HasReason(err, schema.ReasonRecordDamaged) {
				t.Errorf("an exact read: %v", err)
			}
			refs, err := history(v)
			if err != nil {
				return err
			}
			readable := 0
			for _, ref := range refs {
				if _, err := v.MessageByRef(ref); err == nil {
					readable++
				}
			}
			entries, err := v.Inbox("bob")
			if readable != len(all)-1 || len(entries) != len(all) {
				t.Errorf("%d readable, %d in the inbox", readable, len(entries))
			}
			return err
		})
	}
	if n := strings.Count(log.String(), "file="+messageName(bad.MessageID, bad.Kind)); n != 1 {
		t.Errorf("reported %d times: %s", n, log.String())
	}
}

// TestTolerantReading: what editors and Git do to a text file is no damage.
func TestTolerantReading(t *testing.T) {
	s, dir := realRoom(t)
	m := send(t, s, join(t, s, "alice"), note("bob"))
	full := filepath.Join(dir, roomDir, filepath.FromSlash(messageName(m.MessageID, m.Kind)))
	data, err := os.ReadFile(full)
	if err != nil {
		t.Fatal(err)
	}
	crlf := append([]byte("\xef\xbb\xbf"), bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))...)
	if err := os.WriteFile(full, crlf, 0o644); err != nil {
		t.Fatal(err)
	}
	view(t, s, func(v *View) error {
		got, err := v.Message(m.MessageID)
		if err == nil && got.Body != m.Body {
			t.Errorf("%+v", got)
		}
		return err
	})
}

// TestForeignNames: whatever lies in the folders of the room is reported and
// hides nothing.
func TestForeignNames(t *testing.T) {
	var log testLog
	dir := t.TempDir()
	s := openTestRoom(t, dir, &log)
	me := join(t, s, "alice")
	m := send(t, s, me, note("bob"))
	update(t, s, func(tx *Tx) error { _, err := claimTx(tx, me, "file:a"); return err })
	good := path.Base(messageName(m.MessageID, m.Kind))
	foreign := []string{
		"messages/README.md", "messages/2001-01-01/" + good, path.Join("messages", dayName(m.MessageID), "x.tmp"),
		"inbox/bob/" + m.MessageID + ".json", "claims/.claim.swp", "participants/con.json", "participants/a b.json",
		"sessions/notes.txt", "presence/x.json",
	}
	for _, name := range foreign {
		writeFile(t, dir, name, []byte("x"))
	}
	if err := os.Mkdir(filepath.Join(dir, roomDir, "claims", "claim_01k5x0f4e2m9v8r7c6b5a4z3y2.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	foreign = append(foreign, "claims/claim_01k5x0f4e2m9v8r7c6b5a4z3y2.json")
	for range 2 {
		view(t, s, func(v *View) error {
			refs, err1 := history(v)
			inbox, err2 := v.Inbox("bob")
			claims, err3 := v.Claims()
			people, err4 := v.Participants()
			sessions, err5 := v.Sessions()
			_, err6 := v.Presence()
			if len(refs) != 1 || len(inbox) != 1 || len(claims) != 1 || len(people) != 1 || len(sessions) != 1 {
				t.Errorf("%v %v %v %v %v", refs, inbox, claims, people, sessions)
			}
			return errors.Join(err1, err2, err3, err4, err5, err6)
		})
	}
	for _, name := range foreign {
		if n := strings.Count(log.String(), `file="`+name) + strings.Count(log.String(), "file="+name); n != 1 {
			t.Errorf("%s is reported %d times", name, n)
		}
	}
}

// TestForeignFolders: something else stands where a folder of records is.
func TestForeignFolders(t *testing.T) {
	for _, name := range []string{"messages", "inbox/bob", "claims", "participants", "intents", "presence", "expired", "events"} {
		for kind, plant := range planted(t) {
			if kind == "directory" {
				continue
			}
			t.Run(name+" "+kind, func(t *testing.T) {
				var log testLog
				dir := t.TempDir()
				s := openTestRoom(t, dir, &log)
				full := filepath.Join(dir, roomDir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
					t.Fatal(err)
				}
				plant(full)
				view(t, s, func(v *View) error {
					_, err1 := history(v)
					_, err2 := v.Inbox("bob")
					_, err3 := v.Claims()
					_, err4 := v.Participants()
					_, err5 := v.Intents()
					_, err6 := v.Presence()
					_, err7 := v.ExpiredClaims("session_01k5x0f4e2m9v8r7c6b5a4z3y2")
					return errors.Join(err1, err2, err3, err4, err5, err6, err7)
				})
				// A write that needs it is refused with one clear error.
				err := s.Update(context.Background(), func(tx *Tx) error { _, err := joinTx(tx, "bob"); return err })
				if err != nil && schema.AsError(err).Code != schema.CodeData {
					t.Errorf("%v", err)
				}
				view(t, s, func(*View) error { return nil })
			})
		}
	}
}

// TestTargetInTheWay: a transaction whose file could not be put in its place
// is refused before it is decided, and the room goes on.
func TestTargetInTheWay(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	if err := os.Mkdir(filepath.Join(dir, roomDir, "participants", "carol.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	err := s.Update(context.Background(), func(tx *Tx) error { _, err := joinTx(tx, "carol"); return err })
	if !schema.HasReason(err, schema.ReasonRecordDamaged) {
		t.Errorf("%v", err)
	}
	send(t, s, me, note("bob"))
	view(t, s, func(v *View) error { checkWhole(t, v); return nil })
}

// TestCopiedRecords: a record under another one's name is neither.
func TestCopiedRecords(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	a, b := send(t, s, me, note("bob")), send(t, s, me, note("bob"))
	copyFile := func(from, to string) {
		data, err := os.ReadFile(filepath.Join(dir, roomDir, filepath.FromSlash(from)))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, dir, to, data)
	}
	queued := func(m *schema.Message) InboxEntry {
		return InboxEntry{m.MessageID, m.Kind, m.Obligation, schema.Queued}
	}
	copyFile(messageName(a.MessageID, a.Kind), messageName(b.MessageID, b.Kind))
	copyFile(queued(a).name("bob"), queued(b).name("bob"))
	copyFile(participantName("alice"), participantName("mallory"))
	view(t, s, func(v *View) error {
		if _, err := v.Message(b.MessageID); !schema.HasReason(err, schema.ReasonRecordDamaged) {
			t.Errorf("message: %v", err)
		}
		if _, err := v.MessageByRef(MessageRef{b.MessageID, b.Kind}); !schema.HasReason(err, schema.ReasonRecordDamaged) {
			t.Errorf("message by name: %v", err)
		}
		if _, err := v.Receipt("bob", b); !schema.HasReason(err, schema.ReasonRecordDamaged) {
			t.Errorf("receipt: %v", err)
		}
		people, err := v.Participants()
		if len(people) != 1 {
			t.Errorf("%v", people)
		}
		return err
	})
}

func TestForeignRoom(t *testing.T) {
	open := func(dir string) error {
		s, err := Init(dir, testEnv(newTestClock(), io.Discard))
		if err == nil {
			s.Close()
		}
		return err
	}
	for kind, plant := range planted(t) {
		if kind == "directory" {
			continue
		}
		dir := t.TempDir()
		plant(filepath.Join(dir, roomDir))
		if err := open(dir); !schema.HasReason(err, schema.ReasonStoreForeign) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, roomDir), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := open(dir); !schema.HasReason(err, schema.ReasonStoreForeign) {
		t.Errorf("file: %v", err)
	}
}

// TestLockFileIsNoTrap: whatever stands in the place of a lock, nobody hangs.
func TestLockFileIsNoTrap(t *testing.T) {
	for _, name := range []string{lockName, gateName, liveName} {
		for kind, plant := range planted(t) {
			t.Run(filepath.Base(name)+" "+kind, func(t *testing.T) {
				s, dir := realRoom(t)
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				full := filepath.Join(dir, roomDir, filepath.FromSlash(name))
				if err := os.Remove(full); err != nil {
					t.Fatal(err)
				}
				plant(full)
				s, err := Init(dir, testEnv(newTestClock(), io.Discard))
				if err == nil {
					s.Close()
				} else if schema.AsError(err).Reason == schema.ReasonInternalUnexpected {
					t.Errorf("no clear error: %v", err)
				}
			})
		}
	}
}
