package cli

import (
	"io"
	"os"

	"acc/schema"
)

// maxRead bounds what is read of a file or of stdin. It is far above what any
// field takes, so that the refusal can tell how long the text is.
const maxRead = 1 << 20

// longText adds to a field an option that names a file to take the text from.
// The value - of either option means stdin.
func (f *fields) longText(a *App, field string) func() error {
	name := f.flagName(field)
	file := f.cmd.Flags().String(name+"-file", "", "take --"+name+" from this `FILE`, byte for byte; - is stdin, as in --"+name+" -")
	return func() error {
		o := f.get(field)
		switch {
		case *file != "" && o.given():
			return exclude("--"+name, "--"+name+"-file")
		case *file == "" && !(o.given() && o.values[0] == "-"):
			return nil
		}
		text, err := a.readText(name, *file)
		if err == nil {
			o.values = []string{text}
		}
		return err
	}
}

func (a *App) readText(name, file string) (string, error) {
	in := a.In
	if file != "" && file != "-" {
		dir, err := a.dir()
		if err != nil {
			return "", err
		}
		f, err := os.Open(resolve(dir, file))
		if err != nil {
			return "", unreadable(name, file, err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxRead))
	if err != nil {
		return "", unreadable(name, file, err)
	}
	return string(data), nil
}

func unreadable(name, file string, err error) error {
	if file == "" || file == "-" {
		file = "stdin"
	}
	return schema.Fail(schema.ReasonInvalidField, "--%s-file: %s cannot be read.", name, visible(file)).
		With("field", name+"-file").Because(err)
}
