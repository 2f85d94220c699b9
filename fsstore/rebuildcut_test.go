package fsstore

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"acc/fsstore/crashdisk"
)

// TestPowerCutAfterRunRemoved removes run/ by hand while nothing of what the
// journal covered is durable. Once the room was made anew from its records, the
// power may go: the new journal does not know them.
func TestPowerCutAfterRunRemoved(t *testing.T) {
	for steps := 2; steps <= 11; steps++ {
		for seed := range uint64(6) {
			d := crashdisk.New(newTestClock().now)
			p := newPlay(t, d)
			for _, step := range p.script()[:steps] {
				if err := step(); err != nil {
					t.Fatal(err)
				}
			}
			p.die()
			removeRun(t, d)
			p.rebuilt = true
			if err := p.open(); err != nil {
				t.Fatal(err, errors.Unwrap(err))
			}
			p.die()
			p.check(d.AfterPowerCut(crashdisk.Some(rand.New(rand.NewPCG(seed, uint64(steps))))))
			p.die()
		}
	}
}

func removeRun(t *testing.T, d *crashdisk.Disk) {
	t.Helper()
	for name := range d.Tree() {
		if strings.HasPrefix(name, runDir+"/") {
			if err := d.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}
