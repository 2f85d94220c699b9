package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// run is everything that one make bench printed.
type run struct {
	env     map[string]string // goos, goarch, cpu, cpus, filesystem
	results []result
}

// result is one line of a benchmark. BenchmarkRoom/messages=100/op=send-2 is
// bench Room, axis messages, at 100, op send.
type result struct {
	bench, axis, op string
	at              int
	metrics         map[string]float64 // by unit
}

// parse reads the output of go test -bench. Lines that it does not know are
// somebody's log; a line of a failure is an error, for half of a run is none.
func parse(in io.Reader) (*run, error) {
	r := &run{env: map[string]string{}}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := lines.Text()
		key, value, ok := strings.Cut(line, ": ")
		switch {
		case strings.HasPrefix(line, "--- FAIL"), strings.HasPrefix(line, "FAIL"):
			return nil, fmt.Errorf("a benchmark failed: %s", line)
		case strings.HasPrefix(line, "Benchmark"):
			if err := r.line(line); err != nil {
				return nil, err
			}
		case ok && slices.Contains([]string{"goos", "goarch", "cpu", "filesystem"}, key):
			r.env[key] = strings.TrimSpace(value)
		}
	}
	if len(r.results) == 0 && lines.Err() == nil {
		return nil, fmt.Errorf("there is no benchmark on stdin")
	}
	return r, lines.Err()
}

func (r *run) line(line string) error {
	fields := strings.Fields(line)
	if len(fields) < 4 || len(fields)%2 != 0 {
		return nil // the name alone, before the benchmark logs something
	}
	name, cpus, _ := cutLast(strings.TrimPrefix(fields[0], "Benchmark"), "-")
	r.env["cpus"] = cpus
	res := result{metrics: map[string]float64{}}
	var rest []string
	for i, part := range strings.Split(name, "/") {
		key, value, ok := strings.Cut(part, "=")
		number, err := strconv.Atoi(value)
		switch {
		case i == 0:
			res.bench = part
		case ok && key == "op":
			res.op = strings.ReplaceAll(value, "_", " ")
		case ok && err == nil:
			res.axis, res.at = key, number
		default:
			rest = append(rest, part)
		}
	}
	res.op = strings.TrimSpace(res.op + " " + strings.Join(rest, "/"))
	for i := 2; i < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return fmt.Errorf("%s: %w", fields[0], err)
		}
		res.metrics[fields[i+1]] = value
	}
	r.results = append(r.results, res)
	return nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// of are the results of one benchmark.
func (r *run) of(bench string) []result {
	return slices.DeleteFunc(slices.Clone(r.results), func(res result) bool { return res.bench != bench })
}

func (r *run) missing(benches ...string) []string {
	return slices.DeleteFunc(benches, func(bench string) bool { return len(r.of(bench)) > 0 })
}

// ops are the operations of some results, in the order in which they ran.
func ops(results []result) (names []string) {
	for _, res := range results {
		if !slices.Contains(names, res.op) {
			names = append(names, res.op)
		}
	}
	return names
}

// points are where on their axis some results lie.
func points(results []result) (all []int) {
	for _, res := range results {
		if !slices.Contains(all, res.at) {
			all = append(all, res.at)
		}
	}
	slices.SortFunc(all, cmp.Compare[int])
	return all
}

// find is the result of an operation at a point.
func find(results []result, op string, at int) (result, bool) {
	i := slices.IndexFunc(results, func(res result) bool { return res.op == op && res.at == at })
	if i < 0 {
		return result{}, false
	}
	return results[i], true
}

// floor is the name of the floor of a result, and how many times that it took.
func (res result) floor() (name string, times float64) {
	for unit, value := range res.metrics {
		if name, ok := strings.CutPrefix(unit, "x-"); ok && res.metrics[name+"-µs"] > 0 {
			return name, value
		}
	}
	return "", 0
}
