package guard

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"

	"acc/schema"
)

// git runs in dir with the environment that this process has, so that within
// a hook it sees the index of the commit that is being made.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return run(ctx, dir, os.Environ(), args)
}

// gitHere runs in dir and sees the repository of dir, whatever repository the
// environment names.
func gitHere(ctx context.Context, dir string, args ...string) ([]byte, error) {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"}, name)
	})
	return run(ctx, dir, env, args)
}

func run(ctx context.Context, dir string, env, args []string) ([]byte, error) {
	var out, problem bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &out, &problem
	err := cmd.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, schema.Fail(schema.ReasonInvalidArguments, "git is not installed here; name the files to check instead.").Because(err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(problem.String()), "\n")
	return nil, schema.Fail(schema.ReasonInvalidArguments, "git %s failed: %s", args[0], schema.Visible(first, 300)).Because(err)
}
