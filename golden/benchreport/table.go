package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// floorWords say what stands behind the name of a floor.
var floorWords = map[string]string{"append": "one append", "readdir": "one listing", "start": "one start"}

func (r *run) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%s, %s processors (%s), file system %s.\n",
		r.env["goos"], r.env["goarch"], r.env["cpus"], or(r.env["cpu"], "of unknown make"), or(r.env["filesystem"], "unknown"))
	for _, s := range []struct{ bench, title string }{
		{"Room", "By messages in the room"}, {"Open", "By open messages"}, {"Day", "By messages of one day"}, {"Watch", "From a commit to who watches"},
	} {
		r.byAxis(&b, s.bench, s.title)
	}
	r.writersTable(&b)
	r.others(&b)
	return b.String()
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// byAxis shows each operation along an axis: the median with how many times
// the floor it is, then the slowest of a hundred.
func (r *run) byAxis(b *strings.Builder, bench, title string) {
	all := r.of(bench)
	if len(all) == 0 {
		return
	}
	at := points(all)
	header := []string{"call"}
	for _, n := range at {
		header = append(header, or(number(n), "median"))
	}
	medians := append(slices.Clone(header), "floor")
	if bench == "Room" {
		medians = append(medians, "100,000 to 1,000")
	}
	var rows, slow [][]string
	for _, op := range ops(all) {
		rows = append(rows, medianRow(all, op, at, bench == "Room"))
		slow = append(slow, row(all, op, at, func(res result) string { return duration(res.metrics["p99-µs"]) }))
	}
	fmt.Fprintf(b, "\n### %s\n\n", title)
	table(b, medians, rows)
	b.WriteString("\nThe slowest of a hundred:\n\n")
	table(b, header, slow)
}

// row shows something of an operation at each point.
func row(all []result, op string, at []int, show func(result) string) []string {
	cells := []string{op}
	for _, n := range at {
		text := ""
		if res, ok := find(all, op, n); ok {
			text = show(res)
		}
		cells = append(cells, text)
	}
	return cells
}

func medianRow(all []result, op string, at []int, growth bool) []string {
	var floors []float64
	floor := ""
	cells := row(all, op, at, func(res result) string {
		name, times := res.floor()
		floor, floors = name, append(floors, res.metrics[name+"-µs"])
		return fmt.Sprintf("%s, %.1f×", duration(res.metrics["p50-µs"]), times)
	})
	took := duration(slices.Min(floors))
	if most := duration(slices.Max(floors)); most != took {
		took += " to " + most
	}
	cells = append(cells, fmt.Sprintf("%s: %s", floorWords[floor], took))
	if growth {
		cells = append(cells, ratio(all, op))
	}
	return cells
}

// ratio is the cost in the larger room over that in the smaller one, both in
// floors, because the machine changes its speed between the two.
func ratio(all []result, op string) string {
	large, ok := find(all, op, 100_000)
	small, there := find(all, op, 1_000)
	_, a := large.floor()
	_, b := small.floor()
	if !ok || !there || b == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", a/b)
}

func (r *run) writersTable(b *strings.Builder) {
	all := r.of("Writers")
	if len(all) == 0 {
		return
	}
	one := 0.0
	rows := [][]string{}
	for _, n := range points(all) {
		res, _ := find(all, "", n)
		if n == 1 {
			one = res.metrics["sends/s"]
		}
		_, times := res.floor()
		share := ""
		if one > 0 {
			share = fmt.Sprintf("%.2f", res.metrics["sends/s"]/one)
		}
		rows = append(rows, []string{
			number(n), number(int(res.metrics["sends/s"])), share, duration(res.metrics["p50-µs"]), fmt.Sprintf("%.1f×", times),
			duration(res.metrics["p99-µs"]), duration(res.metrics["longest-µs"]),
		})
	}
	b.WriteString("\n### Processes that send at once\n\n")
	table(b, []string{"writers", "sends a second", "of one writer", "median", "in appends", "p99", "longest"}, rows)
}

// others shows what no table above does.
func (r *run) others(b *strings.Builder) {
	rows := [][]string{}
	for _, res := range r.results {
		if res.axis != "" || res.bench == "Watch" {
			continue
		}
		more := []string{}
		for _, unit := range slices.Sorted(maps.Keys(res.metrics)) {
			if unit != "ns/op" {
				more = append(more, strconv.FormatFloat(res.metrics[unit], 'g', 4, 64)+" "+unit)
			}
		}
		rows = append(rows, []string{strings.TrimSpace(res.bench + " " + res.op), duration(res.metrics["ns/op"] / 1000), strings.Join(more, ", ")})
	}
	if len(rows) > 0 {
		b.WriteString("\n### Other benchmarks\n\n")
		table(b, []string{"benchmark", "each", "besides"}, rows)
	}
}

func table(b *strings.Builder, header []string, rows [][]string) {
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(header, " | "), strings.Repeat("---|", len(header)))
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}

// number groups digits by thousands; none is "".
func number(n int) string {
	if n == 0 {
		return ""
	}
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// duration is a number of microseconds in a unit that fits it.
func duration(us float64) string {
	switch {
	case us < 1:
		return fmt.Sprintf("%.0f ns", us*1000)
	case us < 1000:
		return fmt.Sprintf("%.0f µs", us)
	case us < 1e6:
		return strconv.FormatFloat(us/1000, 'g', 3, 64) + " ms"
	}
	return fmt.Sprintf("%.1f s", us/1e6)
}
