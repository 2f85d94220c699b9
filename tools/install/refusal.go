package install

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/pelletier/go-toml/v2"
)

// unfit says why a file cannot be edited, and on which line.
type unfit struct {
	line int // 0 for the whole file
	what string
}

func (u *unfit) Error() string {
	if u.line == 0 {
		return u.what
	}
	return fmt.Sprintf("line %d: %s", u.line, u.what)
}

var position = regexp.MustCompile(`line (\d+), column (\d+): (.*)`)

// syntaxError turns the error of a parser into line and cause.
func syntaxError(err error) *unfit {
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		line, _ := bad.Position()
		return &unfit{line: line, what: "it is no valid TOML: " + bad.Error()}
	}
	if m := position.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		return &unfit{line: line, what: "it is no valid JSON: " + m[3]}
	}
	return &unfit{what: "it cannot be parsed"}
}
