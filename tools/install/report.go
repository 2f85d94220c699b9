package install

import "acc/schema"

// State is what became of a client or of a file.
type State string

// The states.
const (
	Installed State = "installed" // written where nothing was
	Updated   State = "updated"   // written anew
	Unchanged State = "unchanged" // it was all there
	Removed   State = "removed"
	Absent    State = "absent" // there was nothing to remove
	Refused   State = "refused"
	Created   State = "created" // a file that was not there
	Changed   State = "changed"
	Shared    State = "shared" // another client needs the file, so it stays
)

// Report says what an install or an uninstall did, or would do.
type Report struct {
	Scope   string    `json:"scope"`
	Root    string    `json:"root"`
	DryRun  bool      `json:"dryRun"`
	Clients []Outcome `json:"clients"`
}

// Outcome is what became of one client.
type Outcome struct {
	Client      string       `json:"client"`
	Name        string       `json:"name"`
	State       State        `json:"state"`
	Found       bool         `json:"found"` // its program is on the PATH
	Participant string       `json:"participant"`
	Delivery    string       `json:"delivery"`
	Reason      string       `json:"reason"` // why it was refused
	Next        string       `json:"next"`   // what a person has to do, "" for nothing
	Files       []FileChange `json:"files"`
}

// FileChange is what became of one file. Diff is a unified one, and Edited
// names the entries that somebody changed since and that were left.
type FileChange struct {
	Path   string   `json:"path"` // from the root, or from ~
	State  State    `json:"state"`
	Diff   string   `json:"diff"`
	Edited []string `json:"edited"`
}

// Refusals counts the clients for which nothing was done.
func (r Report) Refusals() int {
	n := 0
	for _, o := range r.Clients {
		if o.State == Refused {
			n++
		}
	}
	return n
}

// Options say what to install, where and for whom.
type Options struct {
	Scope       string
	Root        string   // the checkout, or the home directory
	Home        string   // the home directory
	Clients     []string // all that are found when there are none
	Participant string   // the id of the client when there is none
	Delivery    string   // all, actionable or off
	DryRun      bool
	Acc, Server string // the programs, by their full paths
	Version     string // of acc
	Env         func(string) string
	Look        func(program string) (path string, err error)
}

func notFound() *schema.Error {
	return schema.Fail(schema.ReasonInvalidArguments, "none of the clients that acc knows is on the PATH. Name one with --client to install for it all the same.")
}
