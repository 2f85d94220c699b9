package cli

import (
	"context"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"acc/schema"
)

// versionInfo is the answer of acc version.
type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Format   int    `json:"formatVersion"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (a *App) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "version", GroupID: groupProgram, Args: arguments(0, 0),
		Short:   "Show the version of the program and of the format it writes",
		Example: "acc version\nacc version --json",
	}
	return define(a, cmd,
		func(context.Context, []string) (versionInfo, error) { return version(), nil },
		func(p *printer, v versionInfo) {
			p.line("acc %s (format %d, %s, %s)", v.Version, v.Format, v.Go, v.Platform)
		})
}

// version is what the build says of itself.
func version() versionInfo {
	v := versionInfo{
		Version: "0.1.0-dev", Format: schema.FormatVersion, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			v.Revision = setting.Value
		}
	}
	return v
}
