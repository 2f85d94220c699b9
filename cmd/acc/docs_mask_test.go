//go:build unix

package main

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// mask puts stable words in the place of what differs from run to run, and
// finds the way back for commands that name it.
type mask struct {
	root    string
	began   time.Time
	ids     map[string]string // real → shown
	counts  map[string]int
	commits map[string]string
}

func newMask(root string) *mask {
	return &mask{root: root, began: time.Now(), ids: map[string]string{}, counts: map[string]int{}, commits: map[string]string{}}
}

var (
	idPattern     = regexp.MustCompile(`\b(message|claim|session|workspace|auto)_[0-9a-z]{26}\b`)
	shownPattern  = regexp.MustCompile(`\b(message|claim|session|workspace)_…[0-9]+`)
	secretPattern = regexp.MustCompile(`\b[0-9a-f]{32}\b`)
	hashPattern   = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)
	timePattern   = regexp.MustCompile(`\b(\d{4}-\d\d-\d\d)([ T])(\d\d:\d\d:\d\d)(\.\d{3}Z)?`)
	dayPattern    = regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`)
	agoPattern    = regexp.MustCompile(`\b(?:just now|\d+s ago)\b( ?) *`) // with the rest of its column
	endPattern    = regexp.MustCompile(`(?m) +$`)
)

func (m *mask) apply(text string) string {
	text = strings.ReplaceAll(text, m.root, "/projects")
	text = idPattern.ReplaceAllStringFunc(text, m.id)
	text = secretPattern.ReplaceAllString(text, "…")
	text = hashPattern.ReplaceAllStringFunc(text, m.commit)
	text = timePattern.ReplaceAllStringFunc(text, m.time)
	text = dayPattern.ReplaceAllString(text, "2026-11-30")
	text = agoPattern.ReplaceAllString(text, "just now$1$1")
	return endPattern.ReplaceAllString(text, "")
}

// id numbers ids of a kind in the order in which they are shown.
func (m *mask) id(real string) string {
	if _, known := m.ids[real]; !known {
		kind, _, _ := strings.Cut(real, "_")
		m.counts[kind]++
		m.ids[real] = fmt.Sprintf("%s_…%d", kind, m.counts[kind])
	}
	return m.ids[real]
}

// restore is a command with the real ids.
func (m *mask) restore(command string) string {
	return shownPattern.ReplaceAllStringFunc(command, func(shown string) string {
		for real, s := range m.ids {
			if s == shown {
				return real
			}
		}
		return shown
	})
}

// learnCommits gives each new commit a hash that is the same in every run.
func (m *mask) learnCommits(hashes []string) {
	for _, hash := range hashes {
		if _, known := m.commits[hash]; !known {
			sum := sha1.Sum(fmt.Appendf(nil, "commit %d", len(m.commits)+1))
			m.commits[hash] = hex.EncodeToString(sum[:])
		}
	}
}

func (m *mask) commit(short string) string {
	for real, shown := range m.commits {
		if strings.HasPrefix(real, short) {
			return shown[:len(short)]
		}
	}
	return short
}

// time is one moment for everything that happened, and another half an hour
// later for what will.
func (m *mask) time(real string) string {
	p := timePattern.FindStringSubmatch(real)
	at, err := time.Parse(time.DateTime, p[1]+" "+p[3])
	clock, fraction := "17:31:08", p[4]
	if err == nil && at.After(m.began.Add(20*time.Minute)) {
		clock = "18:01:08"
	}
	if fraction != "" {
		fraction = ".000Z"
	}
	return "2026-11-30" + p[2] + clock + fraction
}
