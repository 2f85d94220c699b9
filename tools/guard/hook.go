package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Names in the hooks directory.
const (
	hookName    = "pre-commit"
	chainedName = "pre-commit.before-acc" // the hook that was there before
	freshName   = "pre-commit.acc-new"    // ours, until it is in place
)

// hookMark begins the second line of our hook; the checksum of everything
// behind that line follows, so that an edit shows.
const hookMark = "# acc guard hook, version 1, sum "

// ownDir is a line of the hook when the hooks directory was made for it.
const ownDir = "# The hooks directory was made with this file."

// script is our hook. The one from before comes first, so that what it adds to
// the commit is checked too. %s are the line about the directory and acc.
const script = `# Made by "acc guard install"; "acc guard uninstall" takes it out again.
%shooks=$(dirname "$0")
if [ -x "$hooks/` + chainedName + `" ]; then
	"$hooks/` + chainedName + `" "$@" || exit $?
fi
acc=%s
[ -x "$acc" ] || acc=$(command -v acc) || {
	echo "acc guard: acc is not to be found; what others claim was not checked." >&2
	exit 0
}
exec "$acc" guard check --staged
`

// render is the hook that runs the program acc.
func render(acc string, madeDir bool) []byte {
	about := ""
	if madeDir {
		about = ownDir + "\n"
	}
	rest := fmt.Sprintf(script, about, quote(acc))
	return []byte("#!/bin/sh\n" + hookMark + sum(rest) + "\n" + rest)
}

// quote makes one word of a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func sum(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:8])
}

// ours tells what a pre-commit hook is: made by us, and if so whether it is
// still as we wrote it.
func ours(text string) (made, untouched bool) {
	_, rest, _ := strings.Cut(text, "\n")
	mark, rest, _ := strings.Cut(rest, "\n")
	told, made := strings.CutPrefix(mark, hookMark)
	if !made {
		return strings.Contains(text, hookMark), false
	}
	return true, told == sum(rest) && strings.HasPrefix(text, "#!/bin/sh\n")
}

// madeDir reports whether our hook says that its directory came with it.
func madeDir(text string) bool { return strings.Contains(text, "\n"+ownDir+"\n") }
