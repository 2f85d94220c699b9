package install

import (
	"bytes"
	"fmt"
	"strings"
)

// diffContext is how many lines are shown around a change.
const diffContext = 3

// Diff is a unified diff of one file, "" when nothing changes. What an edit
// changes lies close together as a rule, so what both have at their beginning
// and at their end is left out, and the rest is compared line by line.
func diff(name string, before, after []byte) string {
	if bytes.Equal(before, after) {
		return ""
	}
	from, to := "a/"+name, "b/"+name
	if before == nil {
		from = "/dev/null"
	}
	if after == nil {
		to = "/dev/null"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, to)
	for _, h := range hunks(compare(lines(before), lines(after))) {
		h.write(&b)
	}
	return b.String()
}

func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	all := strings.SplitAfter(string(text), "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// line is one line of a diff: kept ' ', gone '-' or new '+'.
type line struct {
	mark byte
	text string
}

// compare keeps what is common at both ends, and in between the longest common
// sequence of lines.
func compare(a, b []string) []line {
	var head, tail []line
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head = append(head, line{' ', a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, line{' ', a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	all := append(head, between(a, b)...)
	for i := len(tail) - 1; i >= 0; i-- {
		all = append(all, tail[i])
	}
	return all
}

// maxCompared bounds the table of between; a larger middle is shown as a whole.
const maxCompared = 1 << 22

func between(a, b []string) (all []line) {
	if len(a)*len(b) > maxCompared {
		a, b = a[:len(a):len(a)], b[:len(b):len(b)]
		for _, l := range a {
			all = append(all, line{'-', l})
		}
		for _, l := range b {
			all = append(all, line{'+', l})
		}
		return all
	}
	longest := common(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			all = append(all, line{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			all = append(all, line{'-', a[i]})
			i++
		default:
			all = append(all, line{'+', b[j]})
			j++
		}
	}
	return all
}

// common tells how many lines a[i:] and b[j:] have in common.
func common(a, b []string) [][]int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}
