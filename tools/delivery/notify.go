package delivery

import (
	"context"
	"os/exec"
	"runtime"
	"strings"

	"acc/schema"
	"acc/tools/coordination"
)

// Notify is a transport that shows sender and subject on the desktop. That the
// notifier took them is all that is known: whether anybody looked is not.
type Notify struct {
	command func(title, text string) []string
}

// maxNotice bounds the text of a notification, in characters.
const maxNotice = 200

// NewNotify finds the notifier of this desktop, or says what is missing.
func NewNotify() (Notify, error) { return notifier(runtime.GOOS, exec.LookPath) }

func notifier(system string, look func(string) (string, error)) (Notify, error) {
	program, form := "", func(string, string) []string { return nil }
	switch system {
	case "linux", "freebsd", "openbsd", "netbsd":
		program, form = "notify-send", func(title, text string) []string {
			return []string{"--app-name=acc", "--", title, withoutMarkup.Replace(text)}
		}
	case "darwin":
		program, form = "osascript", func(title, text string) []string {
			return []string{"-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)",
				"-e", "end run", title, text}
		}
	default:
		return Notify{}, schema.Fail(schema.ReasonInvalidArguments,
			"--notify is not supported on %s; use --exec with a command that shows a notification.", system)
	}
	path, err := look(program)
	if err != nil {
		return Notify{}, schema.Fail(schema.ReasonInvalidArguments,
			"--notify needs %s, which is not on the PATH; install it, or use --exec with another command.", program)
	}
	return Notify{func(title, text string) []string { return append([]string{path}, form(title, text)...) }}, nil
}

// withoutMarkup keeps a text from being read as the markup of notifications.
var withoutMarkup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// Name is notify.
func (Notify) Name() string { return "notify" }

// Label is what a person calls it.
func (Notify) Label() string { return "the desktop" }

// Offer shows who wrote, and the subject. Nothing of the body is shown.
func (n Notify) Offer(ctx context.Context, l coordination.Letter) schema.DeliveryError {
	title := "acc: " + string(l.Message.Kind) + " from " + l.Message.FromParticipantID
	line := n.command(title, schema.Visible(l.Message.Subject, maxNotice))
	if run(ctx, exec.CommandContext(ctx, line[0], line[1:]...)) != "" {
		return schema.TransportError
	}
	return ""
}
