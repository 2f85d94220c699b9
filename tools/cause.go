package tools

import (
	"errors"
	"io/fs"
	"os"
)

// Cause is what the file system says of a failure, without the path that it
// names: that may lie outside the workspace.
func Cause(err error) string {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err.Error()
	case errors.As(err, &link):
		return link.Err.Error()
	}
	return err.Error()
}
