package scale

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The test binary starts itself again as one of many writers. The environment
// says where, and as whom.
const (
	writerDir  = "ACC_SCALE_ROOM"
	writerName = "ACC_SCALE_NAME"
)

const ready = "ready"

// warmUp is how many messages a writer sends before it is measured.
const warmUp = 20

// writer joins the room, waits until its stdin says how many messages to send,
// and then says on stdout how long each took, in nanoseconds.
func writer(dir, name string) error {
	c, err := newClient(dir, name)
	if err != nil {
		return err
	}
	if _, err := c.sends(warmUp); err != nil {
		return err
	}
	fmt.Println(ready)
	var count int
	if _, err := fmt.Fscan(os.Stdin, &count); err != nil {
		return err
	}
	took, err := c.sends(count)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	for _, d := range took {
		fmt.Fprintln(out, d.Nanoseconds())
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return c.room.Close()
}

// sends sends messages, one after the other.
func (c *client) sends(count int) (sample, error) {
	took := make(sample, count)
	for i := range took {
		began := time.Now()
		if _, err := c.call("acc_message", `{"to":["bob"],"subject":"lexer","body":"it is yours now"}`); err != nil {
			return nil, err
		}
		took[i] = time.Since(began)
	}
	return took, nil
}

// BenchmarkWriters lets processes send at once, each b.N messages.
func BenchmarkWriters(b *testing.B) {
	for _, writers := range []int{1, 4, 16, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			dir, _ := generate(b, usual(1000))
			join(b, dir, "bob")
			f := appends(b)
			before := floors(f)
			all := make([]*process, writers)
			for i := range all {
				all[i] = startWriter(b, dir, fmt.Sprintf("writer-%d", i+1))
			}
			b.ResetTimer()
			began := time.Now()
			for _, p := range all {
				p.begin(b.N)
			}
			var took sample
			for _, p := range all {
				took = append(took, p.took(b)...)
			}
			wall := time.Since(began)
			b.StopTimer()
			took.report(b, f, append(before, floors(f)...))
			b.ReportMetric(float64(len(took))/wall.Seconds(), "sends/s")
			b.ReportMetric(microseconds(took.at(1)), "longest-µs")
		})
	}
}

// floors takes the floor before and after: beside other writers it is none.
func floors(f floor) sample {
	var took sample
	for range 200 {
		took = append(took, timed(f.do))
	}
	return took
}

// process is a writer that was started.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  *bufio.Scanner
	stderr strings.Builder
}

// startWriter returns when the writer is in the room.
func startWriter(b *testing.B, dir, name string) *process {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	p := &process{cmd: exec.Command(self)}
	p.cmd.Env = append(os.Environ(), writerDir+"="+dir, writerName+"="+name)
	p.cmd.Stderr = &p.stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		b.Fatal(err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	p.lines = bufio.NewScanner(stdout)
	if err := p.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	if !p.lines.Scan() || p.lines.Text() != ready {
		_ = p.cmd.Wait()
		b.Fatalf("the writer did not join: %s", p.stderr.String())
	}
	return p
}

func (p *process) begin(count int) {
	fmt.Fprintln(p.stdin, count)
	p.stdin.Close()
}

// took waits for the end of the writer.
func (p *process) took(b *testing.B) sample {
	b.Helper()
	var took sample
	for p.lines.Scan() {
		ns, err := strconv.ParseInt(p.lines.Text(), 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Duration(ns))
	}
	if err := p.cmd.Wait(); err != nil {
		b.Fatalf("a writer failed: %v: %s", err, p.stderr.String())
	}
	return took
}
