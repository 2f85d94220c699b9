package client

import (
	"slices"
	"strconv"
	"strings"
)

// numbers are the parts of a version such as 2.1.332; what follows a dash or a
// plus is not looked at. It is false for what is no version.
func numbers(version string) ([]int, bool) {
	if i := strings.IndexAny(version, "-+"); i >= 0 {
		version = version[:i]
	}
	var parts []int
	for _, word := range strings.Split(strings.TrimPrefix(version, "v"), ".") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return nil, false
		}
		parts = append(parts, n)
	}
	return parts, true
}

// older compares versions part by part; a missing part is 0.
func older(a, b []int) bool {
	n := max(len(a), len(b))
	return slices.Compare(padded(a, n), padded(b, n)) < 0
}

func padded(parts []int, n int) []int {
	return append(slices.Clone(parts), make([]int, n-len(parts))...)
}
