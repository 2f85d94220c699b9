//go:build linux

package coordination

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode/utf16"

	"acc/schema"
)

func (d *den) at(name string) string { return filepath.Join(d.dir, ".acc", filepath.FromSlash(name)) }

// message is where the question to bob lies.
func (d *den) message() string {
	return "messages/" + schema.IDTime(d.question).Format(time.DateOnly) + "/" + d.question + ".question.json"
}

func (d *den) receipt() string { return "inbox/bob/" + d.question + ".question.reply.queued.json" }

func (d *den) events() string { return "events/0000000000000001.jsonl" }

func (d *den) session() string {
	name, _ := filepath.Rel(filepath.Join(d.dir, ".acc"), d.sessionFile())
	return filepath.ToSlash(name)
}

func (d *den) sessionFile() string {
	found, _ := filepath.Glob(d.at("sessions/session_*.json"))
	return found[0] // alice's, who came first
}

// free clears a name for something else.
func (d *den) free(name string) string {
	full := d.at(name)
	d.must(os.RemoveAll(full), os.MkdirAll(filepath.Dir(full), 0o755))
	return full
}

func (d *den) write(name, text string) { d.must(os.WriteFile(d.free(name), []byte(text), 0o644)) }

func (d *den) link(name, target string) {
	d.must(os.Symlink(filepath.Join(d.outside, target), d.free(name)))
}

func (d *den) fifo(name string) { d.must(syscall.Mkfifo(d.free(name), 0o644)) }

func (d *den) socket(name string) { d.must(syscall.Mknod(d.free(name), syscall.S_IFSOCK|0o644, 0)) }

// sparse makes a file of a terabyte that takes no room, behind what it holds.
func (d *den) sparse(name string) { d.must(os.Truncate(d.at(name), 1<<40)) }

func (d *den) edit(name string, change func(string) string) {
	data, err := os.ReadFile(d.at(name))
	d.must(err)
	changed := change(string(data))
	if changed == string(data) {
		d.t.Fatalf("nothing in %s was changed", name)
	}
	d.must(os.WriteFile(d.at(name), []byte(changed), 0o644))
}

func swap(old, new string) func(string) string {
	return func(text string) string { return strings.Replace(text, old, new, 1) }
}

// copied puts a changed copy of a file under another name.
func (d *den) copied(from, to string, change func(string) string) {
	data, err := os.ReadFile(d.at(from))
	d.must(err)
	d.write(to, change(string(data)))
}

func unchangedText(text string) string { return text }

// plantedStores have something else in the place of a file or a directory.
func plantedStores() []hostileStore {
	var all []hostileStore
	plant := func(kind, want string, spoil func(*den, string), names ...string) {
		for _, name := range names {
			all = append(all, hostileStore{name: name + " is a " + kind, want: want, spoil: func(d *den) { spoil(d, d.named(name)) }})
		}
	}
	toDir := func(d *den, name string) { d.link(name, "dir") }
	toFile := func(d *den, name string) { d.link(name, "file") }
	loop := func(d *den, name string) { d.must(os.Symlink(filepath.Base(name), d.free(name))) }
	fifo, socket := (*den).fifo, (*den).socket

	all = append(all,
		hostileStore{"the room is a link", "store_foreign", func(d *den) {
			d.must(os.Rename(d.at(""), filepath.Join(d.outside, "room")), os.Symlink(filepath.Join(d.outside, "room"), d.at("")))
		}},
		hostileStore{"the room is a pipe", "store_foreign", func(d *den) { d.fifo("") }},
		hostileStore{"the room is a file", "store_foreign", func(d *den) { d.write("", "x") }},
	)
	// What the room stands on: nobody gets in.
	plant("link to a directory", "store_failed", toDir, "run", "run/journal", "run/head", "run/lock", "run/gate", "run/live", "workspace.json", "index", "sessions")
	plant("link to a file", "store_failed", toFile, "run/journal", "run/head", "run/lock", "run/gate", "run/live", "workspace.json")
	plant("pipe", "store_failed", fifo, "run", "run/journal", "run/head", "workspace.json")
	plant("pipe", "ok", fifo, "run/lock", "run/gate", "run/live") // it can be locked like a file
	plant("socket", "store_failed", socket, "run/gate", "run/journal", "workspace.json")
	plant("link to itself", "store_failed", loop, "run", "run/lock")
	// What it holds: it hides nothing else.
	plant("link to a directory", "ok", toDir, "claims", "expired", "receipts", "handoffs", "run/publish", "inbox/bob", "presence", "intents")
	plant("link to a file", "ok", toFile, "MESSAGE", "RECEIPT", "CLAIM", "SESSION", "participants/carol.json", "index/decisions.jsonl", ".gitignore")
	plant("pipe", "ok", fifo, "MESSAGE", "RECEIPT", "CLAIM", "SESSION", "participants/carol.json", "index/decisions.jsonl", "events/trimmed.json",
		"handoffs/"+someMessage+".json")
	plant("socket", "ok", socket, "MESSAGE", "RECEIPT")
	plant("link to itself", "ok", loop, "MESSAGE")
	// What a write needs: one can read.
	plant("link to a directory", "ok ok store_failed", toDir, "messages", "DAY", "inbox", "run/tmp", "events")
	plant("link to itself", "ok ok store_failed", loop, "messages")
	plant("pipe", "ok ok store_failed", fifo, "messages")
	plant("link to a directory", "ok ok record_damaged", toDir, "participants", "index/keys")
	plant("link to a file", "ok ok record_damaged", toFile, "EVENTS")
	plant("pipe", "ok ok record_damaged", fifo, "EVENTS")
	plant("directory", "ok", func(d *den, name string) { d.must(os.MkdirAll(filepath.Join(d.free(name), "x"), 0o755)) },
		"MESSAGE", "RECEIPT", "CLAIM", "participants/carol.json")
	if os.Getuid() == 0 {
		zero := func(d *den, name string) { d.must(syscall.Mknod(d.free(name), syscall.S_IFCHR|0o644, 1<<8|5)) }
		plant("device", "ok", zero, "MESSAGE", "RECEIPT")
		plant("device", "store_failed", zero, "run/journal", "workspace.json")
	}
	plant("file of a terabyte", "ok", (*den).sparse, "MESSAGE", "RECEIPT", "CLAIM", "EVENTS", "index/decisions.jsonl", "run/head", "run/lock")
	plant("file of a terabyte", "store_failed", (*den).sparse, "run/journal", "workspace.json")
	return all
}

// named puts a name of this room in the place of a word.
func (d *den) named(name string) string {
	switch name {
	case "DAY":
		return filepath.ToSlash(filepath.Dir(d.message()))
	case "MESSAGE":
		return d.message()
	case "RECEIPT":
		return d.receipt()
	case "CLAIM":
		return "claims/" + d.claim + ".json"
	case "SESSION":
		return d.session()
	case "EVENTS":
		return d.events()
	}
	return name
}

// writtenStores hold a message, or another record, that says what it must not.
func writtenStores() []hostileStore {
	var all []hostileStore
	message := func(name string, change func(string) string) {
		all = append(all, hostileStore{"a message that is " + name, "ok", func(d *den) { d.edit(d.message(), change) }})
	}
	message("empty", func(string) string { return "" })
	message("full of NUL", func(text string) string { return strings.Repeat("\x00", len(text)) })
	message("cut", func(text string) string { return text[:len(text)/2] })
	message("twice", func(text string) string { return text + text })
	message("behind a BOM", func(text string) string { return "\xef\xbb\xbf" + text })
	message("of CRLF", func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") })
	message("UTF-16", func(text string) string {
		var b strings.Builder
		for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
			b.WriteByte(byte(unit))
			b.WriteByte(byte(unit >> 8))
		}
		return b.String()
	})
	message("no UTF-8", swap(`"subject": "`, "\"subject\": \"\xff"))
	message("nested deeply", func(string) string { return strings.Repeat("[", 1<<20) })
	message("nested deeply in a field", swap(`"artifacts": []`, `"artifacts": `+strings.Repeat("[", 100000)+strings.Repeat("]", 100000)))
	message("17 MiB", func(text string) string { return text + strings.Repeat(" ", 17<<20) })
	message("of two subjects", swap(`"subject"`, `"subject": "a", "subject"`))
	message("of an unknown field", swap(`"subject"`, `"priority": 1, "subject"`))
	message("of a wrong type", swap(`"subject": "s"`, `"subject": 5`))
	message("of a wrong case", swap(`"subject"`, `"Subject"`))
	message("of a newer version", swap(`"schemaVersion": 1`, `"schemaVersion": 2`))
	message("without recipients", swap("\"toParticipantIds\": [\n    \"bob\"\n  ]", `"toParticipantIds": null`))
	message("of a path for an id", swap(`"messageId": "`, `"messageId": "../`))
	message("of a path for a thread", swap(`"threadId": "`, `"threadId": "../../../etc/passwd`))
	message("of a path for a sender", swap(`"fromParticipantId": "alice"`, `"fromParticipantId": "../alice"`))
	message("of a huge number", swap(`"schemaVersion": 1`, `"schemaVersion": 1e999999`))

	edit := func(name, want, file string, change func(string) string) {
		all = append(all, hostileStore{name, want, func(d *den) { d.edit(d.named(file), change) }})
	}
	edit("a format of the future", "format_newer", "workspace.json", swap(`"formatVersion": 1`, `"formatVersion": 2`))
	edit("a format of the past", "record_damaged", "workspace.json", swap(`"formatVersion": 1`, `"formatVersion": 0`))
	edit("a workspace without an id", "record_damaged", "workspace.json", swap(`workspace_`, `../workspace_`))
	edit("an empty workspace", "record_damaged", "workspace.json", func(string) string { return "" })
	edit("a claim that ends before it begins", "ok", "CLAIM", swap(`"acquiredAt": "2026`, `"acquiredAt": "2027`))
	edit("a claim without end", "ok", "CLAIM", swap(`"expiresAt": "2026`, `"expiresAt": "9999`))
	edit("a claim outside", "ok", "CLAIM", swap(`file:a`, `file:../../etc`))
	edit("a session of nobody", "ok", "SESSION", swap(`"participantId": "alice"`, `"participantId": "mallory"`))
	edit("a short generation", "ok", "SESSION", swap(`"generation": "`, `"generation": "x`))
	edit("a receipt of another state", "ok", "RECEIPT", swap(`"queued"`, `"acknowledged"`))
	edit("a receipt of another reader", "ok", "RECEIPT", swap(`"bob"`, `"alice"`))
	edit("a recipient that is damaged", "ok ok record_damaged", "participants/alice.json", swap(`"agent"`, `"robot"`))
	edit("oneself damaged", "ok", "participants/bob.json", swap(`"agent"`, `"robot"`))
	return all
}

// namedStores hold files under names that are not theirs.
func namedStores() []hostileStore {
	plant := func(name, from, to string, change func(*den, string) string) hostileStore {
		return hostileStore{name, "ok", func(d *den) {
			d.copied(d.named(from), d.named(to), func(text string) string { return change(d, text) })
		}}
	}
	as := func(_ *den, text string) string { return text }
	say := func(text string) func(*den, string) string { return func(*den, string) string { return text } }
	const far, first = "message_7zzzzzzzzzzzzzzzzzzzzzzzzz", "message_00000000000000000000000000"
	const last = "message_76ez91zpzzzzzzzzzzzzzzzzzz"
	renamed := func(id string) func(*den, string) string {
		return func(d *den, text string) string { return strings.ReplaceAll(text, d.question, id) }
	}
	list := []hostileStore{
		plant("a twin of a participant", "participants/alice.json", "participants/ALICE.json", func(_ *den, text string) string { return strings.ReplaceAll(text, "alice", "ALICE") }),
		plant("a twin of oneself", "participants/bob.json", "participants/BOB.json", func(_ *den, text string) string { return strings.ReplaceAll(text, "bob", "BOB") }),
		plant("a participant of another name", "participants/alice.json", "participants/mallory.json", as),
		plant("a device of Windows", "participants/alice.json", "participants/con.json", func(_ *den, text string) string { return strings.ReplaceAll(text, "alice", "con") }),
		plant("a name with a colon", "MESSAGE", "messages/2026-11-30/message:x.json", as),
		plant("a name that is no text", "MESSAGE", "messages/2026-11-30/\xff\xfe.json", as),
		plant("a name of many lines", "MESSAGE", "claims/a\nb\x1b[31m.json", as),
		plant("a message in a wrong folder", "MESSAGE", "claims/"+someClaim+".json", as),
		plant("a message of a wrong day", "MESSAGE", "messages/2001-01-01/"+someMessage+".question.json", renamed(someMessage)),
		plant("a message of another kind", "MESSAGE", "messages/2026-11-30/"+someMessage+".note.json", renamed(someMessage)),
		plant("a message of the last day", "MESSAGE", "messages/9999-12-31/"+last+".question.json", renamed(last)),
		plant("a message of a day after the last", "MESSAGE", "messages/10889-08-02/"+far+".question.json", renamed(far)),
		plant("a message of the first day", "MESSAGE", "messages/1970-01-01/"+first+".question.json", renamed(first)),
		plant("a receipt of no message", "RECEIPT", "inbox/bob/"+someMessage+".question.reply.queued.json", renamed(someMessage)),
		plant("a receipt of another kind", "RECEIPT", "inbox/bob/"+someMessage+".note.none.queued.json", renamed(someMessage)),
		plant("an inbox of nobody", "RECEIPT", "inbox/mallory/"+someMessage+".question.reply.queued.json", renamed(someMessage)),
		plant("a key of another's message", "MESSAGE", "index/keys/bob/"+keyOfAfter+".json", func(d *den, _ string) string {
			return `{"schemaVersion":1,"clientMessageId":"after","messageId":"` + d.question + `"}`
		}),
		plant("a key of no message", "MESSAGE", "index/keys/bob/"+keyOfAfter+".json",
			say(`{"schemaVersion":1,"clientMessageId":"after","messageId":"`+someMessage+`"}`)),
		plant("a sign of life of the future", "MESSAGE", "presence/x", say("x")),
		plant("a temporary file", "MESSAGE", "run/tmp/x.1", as),
		plant("a published file of garbage", "MESSAGE", "handoffs/"+someMessage+".json", say("garbage")),
		plant("a note to publish elsewhere", "MESSAGE", "run/publish/"+someMessage+".json", func(d *den, _ string) string {
			return `{"schemaVersion":1,"messageId":"` + someMessage + `","kind":"decision","checkout":"` + d.outside + `","attributes":false}`
		}),
		{"a directory of many levels", "ok", func(d *den) { d.must(os.MkdirAll(d.at("messages/"+strings.Repeat("d/", 500)), 0o755)) }},
		{"a note to publish a real decision elsewhere", "ok", func(d *den) {
			d.write("run/publish/"+d.decision+".json",
				`{"schemaVersion":1,"messageId":"`+d.decision+`","kind":"decision","checkout":"`+d.outside+`","attributes":true}`)
		}},
	}
	for i := range list {
		switch list[i].name {
		case "a key of another's message":
			list[i].want = "ok ok record_damaged"
		}
	}
	return list
}

// keyOfAfter is the name of the key under which the probe sends.
const keyOfAfter = "f39592393ef0859cb196a52693d2cea0"

// journalStores have a journal or a head that nobody wrote.
func journalStores() []hostileStore {
	record := func(text string) func(*den) {
		return func(d *den) {
			f, err := os.OpenFile(d.at("run/journal"), os.O_WRONLY, 0)
			d.must(err)
			_, err = f.WriteAt([]byte(text), 4096)
			d.must(err, f.Close())
		}
	}
	head := func(text string) func(*den) { return func(d *den) { d.write("run/head", text+"\n") } }
	state := func(text string) func(*den) {
		return head(`{"epoch":2,"seq":9,"tail":4096,"state":` + text + `}`)
	}
	return []hostileStore{
		{"a journal of nothing", "store_failed", func(d *den) { d.write("run/journal", "") }},
		{"a journal of zeros", "store_failed", func(d *den) { d.write("run/journal", strings.Repeat("\x00", 1<<20)) }},
		{"a journal of noise", "store_failed", func(d *den) { d.write("run/journal", strings.Repeat("acc \xff\n", 1<<17)) }},
		{"a journal without its header", "store_failed", func(d *den) {
			d.edit("run/journal", func(text string) string { return strings.Repeat("\x00", 4096) + text[4096:] })
		}},
		{"a header of a negative length", "store_failed", func(d *den) {
			d.write("run/journal", fmt.Sprintf("acc-journal %08x %08x\n{}\n", -1, 0)+strings.Repeat("\x00", 1<<16))
		}},
		{"a record of a negative length", "ok", record("acc 0000000000000002 0000000000000001 -0000001 00000000\n")},
		{"a record of four gigabytes", "ok", record("acc 0000000000000002 0000000000000001 ffffffff 00000000\n")},
		{"a record of a wrong checksum", "ok", record("acc 0000000000000002 0000000000000001 00000003 00000000\n{}\n")},
		{"a record of the future", "ok", record("acc ffffffffffffffff 0000000000000001 00000003 00000000\n{}\n")},
		{"no head", "ok", func(d *den) { d.must(os.Remove(d.at("run/head"))) }},
		{"a head of garbage", "ok", head("garbage")},
		{"a head of nothing", "ok", func(d *den) { d.write("run/head", "") }},
		{"a head of a negative tail", "ok", head(`{"epoch":2,"seq":9,"tail":-4096}`)},
		{"a head beyond the journal", "ok", head(`{"epoch":2,"seq":9,"tail":1099511627776}`)},
		{"a head of negative numbers", "ok", state(`{"cursor":-1,"eventEnd":-1,"messages":-1,"graphEnd":-1,"lastId":""}`)},
		{"a head of huge numbers", "ok", state(`{"cursor":9223372036854775807,"eventEnd":9223372036854775807,"messages":9223372036854775807,"graphEnd":9223372036854775807,"lastId":""}`)},
		{"a head of many events", "ok", state(`{"cursor":999999999999999,"eventEnd":1000,"messages":3,"graphEnd":10,"lastId":""}`)},
		{"a head of a hostile id", "ok", state(`{"cursor":1,"eventEnd":1,"messages":3,"graphEnd":1,"lastId":"../../x"}`)},
		{"no run directory", "ok", func(d *den) { d.must(os.RemoveAll(d.at("run"))) }},
		{"no index", "ok", func(d *den) { d.must(os.RemoveAll(d.at("index"))) }},
		{"no workspace", "ok", func(d *den) { d.must(os.Remove(d.at("workspace.json"))) }},
		{"no lock", "ok", func(d *den) { d.must(os.Remove(d.at("run/lock"))) }},
	}
}

// logStores have an event log, or an index of decisions, that is not whole.
func logStores() []hostileStore {
	log := func(name string, change func(lines []string) []string) hostileStore {
		return hostileStore{name, "ok", func(d *den) {
			d.edit(d.events(), func(text string) string { return strings.Join(change(strings.SplitAfter(text, "\n")), "") })
		}}
	}
	return []hostileStore{
		log("events with a gap", func(l []string) []string { return append(l[:2:2], l[3:]...) }),
		log("events twice", func(l []string) []string { return append(l[:3:3], l[2:]...) }),
		log("events with garbage between", func(l []string) []string { l[2] = "garbage\n"; return l }),
		log("events without the last line end", func(l []string) []string { l[len(l)-2] = strings.TrimSuffix(l[len(l)-2], "\n"); return l }),
		log("events in one line without end", func([]string) []string { return []string{strings.Repeat("x", 4<<20)} }),
		log("no events", func([]string) []string { return nil }),
		{"events cut through all that there will be", "ok", func(d *den) {
			d.write("events/trimmed.json", `{"schemaVersion":1,"trimmedThrough":"9999999999999999","trimmedAt":"2026-11-30T12:00:00.000Z"}`)
		}},
		{"events cut through garbage", "ok", func(d *den) { d.write("events/trimmed.json", "garbage") }},
		{"events of the last file", "ok", func(d *den) { d.copied(d.events(), "events/9999999999999001.jsonl", unchangedText) }},
		{"an index of garbage", "ok", func(d *den) {
			d.edit("index/decisions.jsonl", func(text string) string { return strings.Repeat("?", len(text)) })
		}},
		{"an index that was cut", "ok", func(d *den) { d.edit("index/decisions.jsonl", func(text string) string { return text[:len(text)/2] }) }},
		{"an index with a ring", "ok", func(d *den) {
			d.edit("index/decisions.jsonl", func(text string) string {
				link := func(id, of string) string {
					return `{"schemaVersion":1,"messageId":"` + id + `","action":"replace","messageIds":["` + of + `"]}`
				}
				ring := link(d.decision, d.change) + "\n" + link(d.change, d.decision)
				return ring + strings.Repeat(" ", max(0, len(text)-len(ring)-1)) + "\n"
			})
		}},
	}
}

// ownedStores belong to somebody else, or cannot be written, or have a second
// name.
func ownedStores() []hostileStore {
	readOnly := "store_read_only"
	if os.Getuid() == 0 {
		readOnly = "ok" // root may write anywhere
	}
	list := []hostileStore{
		{"a room that cannot be written", readOnly, func(d *den) {
			d.must(filepath.WalkDir(d.at(""), func(path string, e fs.DirEntry, err error) error {
				if err != nil || !e.IsDir() {
					return err
				}
				d.t.Cleanup(func() { _ = os.Chmod(path, 0o755) })
				return os.Chmod(path, 0o555)
			}))
		}},
		{"a message with a second name", "ok", func(d *den) { d.must(os.Link(d.at(d.message()), filepath.Join(d.outside, "linked"))) }},
		{"a claim with a second name", "ok", func(d *den) { d.must(os.Link(d.at(d.named("CLAIM")), filepath.Join(d.outside, "linked"))) }},
	}
	if os.Getuid() == 0 {
		list = append(list, hostileStore{"a room of somebody else", "ok", func(d *den) {
			d.must(filepath.WalkDir(d.at(""), func(path string, _ fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				return os.Lchown(path, 54321, 54321)
			}))
		}})
	}
	return list
}

// accessTimes are the times at which the files of a directory were read.
func accessTimes(dir string) map[string]string {
	times := map[string]string{}
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || strings.Contains(path, "/room/") || strings.HasSuffix(path, "/linked") {
			return nil
		}
		if info, err := e.Info(); err == nil {
			st := info.Sys().(*syscall.Stat_t)
			times[path] = fmt.Sprint(st.Atim)
		}
		return nil
	})
	return times
}
