// Package roomgen fills rooms for tests and benchmarks: as many messages as
// wanted, of all kinds, spread over days, most of them settled. It writes
// through the transactions of the store, many messages in each, so that a
// room of 100,000 messages takes seconds. No program imports it.
package roomgen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// Config says what a room looks like. The same Config, with End, gives the
// same room to the last byte, but for what lies in run/.
type Config struct {
	Participants int // at least 2; the first are alice, bob, carol and codex
	Messages     int
	// PerDay is how many messages a day has, spread evenly over its 24 hours;
	// 0 puts all of them on the day of End.
	PerDay int
	// Kinds weighs the kinds of message; nil stands for Usual. An answer for
	// which there is no question becomes a note.
	Kinds map[schema.MessageKind]int
	// Open is the share of the messages, the newest ones, whose receipts are
	// still open; MostOpen bounds how many messages that are, 0 for no bound.
	Open     float64
	MostOpen int
	// Chain is how many decisions stand in a row, each replacing the one
	// before; 0 and 1 leave each alone.
	Chain int
	Seed  uint64
	End   time.Time // when the last message is sent, now when zero
}

// Usual is a room as agents use it.
func Usual() map[schema.MessageKind]int {
	return map[schema.MessageKind]int{
		schema.Note: 40, schema.Question: 20, schema.Request: 5, schema.Answer: 25, schema.Decision: 5, schema.Handoff: 5,
	}
}

// Room is what a generated room holds. Every participant has one open session
// and no process.
type Room struct {
	Participants []string
	Sessions     []schema.Session // of each participant, in the same order
	Decisions    []string         // message ids, oldest first
	Open         int              // messages whose receipts are open
}

// perWrite is how many messages one transaction holds.
const perWrite = 250

// Generate makes a room in dir, which must hold none.
func Generate(ctx context.Context, dir string, cfg Config) (*Room, error) {
	if cfg.Participants < 2 || cfg.Messages < 0 || cfg.PerDay < 0 {
		return nil, errors.New("roomgen: a room needs two participants, and no number may be negative")
	}
	g := newGenerator(dir, cfg)
	if len(g.deck) == 0 {
		return nil, errors.New("roomgen: every kind of message has weight 0")
	}
	switch _, err := fsstore.Open(dir, g.env()); {
	case err == nil:
		return nil, errors.New("roomgen: there is a room already")
	case !errors.Is(err, fsstore.ErrNoRoom):
		return nil, err
	}
	s, err := fsstore.Init(dir, g.env())
	if err != nil {
		return nil, err
	}
	return &g.room, errors.Join(g.fill(ctx, s), s.Close())
}

// generator is a room in the making.
type generator struct {
	cfg    Config
	dir    string
	room   Room
	random *rand.Rand
	bytes  io.Reader // of ids
	now    time.Time
	deck   []schema.MessageKind // one of them is drawn for each message
	asked  []*schema.Message    // what waits for an answer, oldest first
	chain  chain
}

func newGenerator(dir string, cfg Config) *generator {
	if cfg.End.IsZero() {
		cfg.End = time.Now()
	}
	if cfg.Kinds == nil {
		cfg.Kinds = Usual()
	}
	g := &generator{cfg: cfg, dir: dir, random: rand.New(rand.NewPCG(cfg.Seed, 1))}
	g.bytes = rand.NewChaCha8([32]byte{byte(cfg.Seed), byte(cfg.Seed >> 8), byte(cfg.Seed >> 16), byte(cfg.Seed >> 24)})
	for _, kind := range schema.MessageKinds() {
		for range cfg.Kinds[kind] {
			g.deck = append(g.deck, kind)
		}
	}
	g.room.Open = int(cfg.Open * float64(cfg.Messages))
	if cfg.MostOpen > 0 {
		g.room.Open = min(g.room.Open, cfg.MostOpen)
	}
	g.now = g.timeOf(0)
	return g
}

// env gives the store the time of what is being written.
func (g *generator) env() fsstore.Env {
	return fsstore.Env{
		Now: func() time.Time { return g.now }, Rand: g.bytes, Process: fsstore.Process{Host: "roomgen"},
		Alive: func(fsstore.Process) bool { return false }, Log: slog.New(slog.DiscardHandler),
	}
}

// timeOf is when a message is sent, as the store counts time.
func (g *generator) timeOf(message int) time.Time {
	end := g.cfg.End.UTC().Truncate(time.Millisecond)
	if g.cfg.PerDay == 0 {
		return end
	}
	return end.Add(-time.Duration(g.cfg.Messages-1-message) * (24 * time.Hour / time.Duration(g.cfg.PerDay)))
}

func (g *generator) fill(ctx context.Context, s *fsstore.Store) error {
	if err := s.Update(ctx, g.people); err != nil {
		return err
	}
	for sent := 0; sent < g.cfg.Messages; {
		next := g.batchEnd(sent)
		g.now = g.timeOf(sent)
		if err := s.Update(ctx, func(tx *fsstore.Tx) error { return g.batch(tx, sent, next) }); err != nil {
			return fmt.Errorf("message %d: %w", sent, err)
		}
		sent = next
	}
	return nil
}

// batchEnd is where the transaction ends that begins with a message: all in
// one have the same time, so it keeps to a day.
func (g *generator) batchEnd(sent int) int {
	next := sent + 1
	day := g.timeOf(sent).YearDay()
	for next < g.cfg.Messages && next-sent < perWrite && g.timeOf(next).YearDay() == day {
		next++
	}
	return next
}

func (g *generator) batch(tx *fsstore.Tx, from, to int) error {
	for i := from; i < to; i++ {
		if err := g.send(tx, i >= g.cfg.Messages-g.room.Open); err != nil {
			return err
		}
	}
	return nil
}
