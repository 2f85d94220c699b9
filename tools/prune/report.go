package prune

import "acc/schema"

// Report says what would go, or what went.
type Report struct {
	Applied        bool     `json:"applied"`
	Sessions       []string `json:"sessions"`
	Intents        []string `json:"intents"`  // by session
	Claims         []string `json:"claims"`   // past their lease
	Presence       []string `json:"presence"` // by session and process
	Adapters       []string `json:"adapters"` // what is left of live adapters, by session
	Participants   []string `json:"participants"`
	Messages       []string `json:"messages"`
	EventFiles     int      `json:"eventFiles"`     // files of 1,000 events
	TrimmedThrough *string  `json:"trimmedThrough"` // the last event that is cut off, null when none is
	Kept           Kept     `json:"kept"`
}

// Kept counts the messages that are older than the cursor and stay.
type Kept struct {
	Owed      int `json:"owed"`      // something is owed to or by a known recipient
	Decisions int `json:"decisions"` // of a group in which a decision stands
	Published int `json:"published"` // a file in a checkout would bring it back
	Sessions  int `json:"sessions"`  // the handoff of a session that stays
	Threads   int `json:"threads"`   // another message of its thread or group stays
	Damaged   int `json:"damaged"`   // cannot be read
}

// Empty reports whether there is nothing to do.
func (r Report) Empty() bool {
	return len(r.Sessions)+len(r.Intents)+len(r.Claims)+len(r.Presence)+len(r.Adapters)+len(r.Participants)+len(r.Messages)+r.EventFiles == 0
}

func newReport() Report {
	return Report{
		Sessions: []string{}, Intents: []string{}, Claims: []string{}, Presence: []string{}, Adapters: []string{}, Participants: []string{}, Messages: []string{},
	}
}

// kind says which list of a report a step belongs to.
type kind int

const (
	aSession kind = iota
	anIntent
	aClaim
	aPresence
	anAdapter
	aParticipant
	aMessage
)

func (r *Report) add(s step) {
	list := map[kind]*[]string{
		aSession: &r.Sessions, anIntent: &r.Intents, aClaim: &r.Claims, aPresence: &r.Presence, anAdapter: &r.Adapters,
		aParticipant: &r.Participants, aMessage: &r.Messages,
	}[s.kind]
	*list = append(*list, s.id)
}

func (r *Report) trim(files int, through int64) {
	if files > 0 {
		cursor := schema.FormatCursor(through)
		r.EventFiles, r.TrimmedThrough = r.EventFiles+files, &cursor
	}
}
