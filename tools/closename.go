package tools

import "strings"

// CloseName finds the name that was most likely meant, or "": one that differs
// in letter case or separators, one that is longer or shorter at its end, or
// one within two typing errors.
func CloseName(given string, names []string) string {
	if len(given) < 2 || len(given) > 64 {
		return ""
	}
	folded := foldName(given)
	best, bestDistance := "", 3
	for _, name := range names {
		switch other := foldName(name); {
		case other == folded:
			return name
		case len(folded) > 2 && (strings.HasPrefix(other, folded) || len(other) > 2 && strings.HasPrefix(folded, other)):
			if bestDistance > 1 {
				best, bestDistance = name, 1
			}
		default:
			if d := distance(folded, other); d < bestDistance && d*2 <= len(other) {
				best, bestDistance = name, d
			}
		}
	}
	return best
}

// foldName is a name without the differences that people do not see.
func foldName(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(name))
}

// distance counts the insertions, deletions and changes from a to b, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := diagonal
			if a[i] != b[j] {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
