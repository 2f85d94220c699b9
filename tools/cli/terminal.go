package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"time"

	"golang.org/x/term"

	"acc/schema"
)

// ownTerminal takes the terminal over for a page: another screen, and keys one
// by one. Any of q, Ctrl-C and Ctrl-D calls leave. restore puts everything back.
func ownTerminal(in io.Reader, out *os.File, leave func()) (restore func(), err error) {
	before := func() {}
	if keys, ok := in.(*os.File); ok && term.IsTerminal(int(keys.Fd())) {
		state, err := term.MakeRaw(int(keys.Fd()))
		if err != nil {
			return nil, noTerminal(err)
		}
		before = func() { _ = term.Restore(int(keys.Fd()), state) }
		go readKeys(keys, leave)
	}
	if err := understandsSequences(out); err != nil {
		before()
		return nil, noTerminal(err)
	}
	_, err = out.WriteString(altScreen)
	return func() {
		_, _ = out.WriteString(mainScreen)
		before()
	}, err
}

func noTerminal(err error) error {
	return schema.Fail(schema.ReasonStoreFailed, "the terminal cannot show a page; use acc watch --plain.").Because(err)
}

// readKeys reads until a key that leaves, or the end of the terminal.
func readKeys(keys io.Reader, leave func()) {
	defer leave()
	var key [1]byte
	for {
		if n, err := keys.Read(key[:]); n == 0 || err != nil {
			return
		}
		switch key[0] {
		case 'q', 'Q', 3, 4: // 3 and 4: Ctrl-C and Ctrl-D
			return
		}
	}
}

// pulse beats every so often, and whenever the window changes its size.
func pulse(ctx context.Context, every time.Duration) <-chan struct{} {
	beats := make(chan struct{})
	resized := make(chan os.Signal, 1)
	if len(windowSignals) > 0 {
		signal.Notify(resized, windowSignals...)
	}
	go func() {
		defer signal.Stop(resized)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-resized:
			case <-ctx.Done():
				return
			}
			select {
			case beats <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return beats
}
