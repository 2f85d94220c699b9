package install

import (
	"bytes"
	"slices"

	"acc/tools/delivery/client"
)

// run is one install or uninstall.
type run struct {
	opt    Options
	ledger *ledger
	// planned are the bytes that files have by now, in a run that writes nothing:
	// clients share files.
	planned map[string][]byte
}

// Install writes server, hooks and skill for each client. Doing it again
// changes nothing; other options change what was written, in place. A client
// for which something is in the way is reported as refused, and the others are
// installed.
//
// It fails with ReasonInvalidField for a client that acc does not know, with
// ReasonInvalidArguments when there is none, and where the ledger cannot be
// used.
func Install(opt Options) (Report, error) {
	clients, err := opt.chosen(func(c client.Client) bool { return opt.finds(c) })
	if err != nil {
		return Report{}, err
	}
	if len(clients) == 0 {
		return Report{}, notFound()
	}
	return opt.each(clients, (*run).install)
}

// Uninstall removes what Install wrote, as far as nobody edited it since. A
// client that the ledger does not know is reported as absent.
func Uninstall(opt Options) (Report, error) {
	l, err := readLedger(StateDir(opt.Env, opt.Home), client.Scope(opt.Scope), opt.Root)
	if err != nil {
		return Report{}, err
	}
	clients, err := opt.chosen(func(c client.Client) bool { return l.Clients[c.ID] != nil })
	if err != nil {
		return Report{}, err
	}
	return opt.each(clients, (*run).uninstall)
}

// chosen are the clients that were named, in the order of the table, or those
// that are by default.
func (opt Options) chosen(byDefault func(client.Client) bool) (clients []client.Client, err error) {
	for _, id := range opt.Clients {
		if _, err := client.Find(id); err != nil {
			return nil, err
		}
	}
	for _, c := range client.All() {
		if slices.Contains(opt.Clients, c.ID) || len(opt.Clients) == 0 && byDefault(c) {
			clients = append(clients, c)
		}
	}
	return clients, nil
}

func (opt Options) finds(c client.Client) bool {
	_, err := opt.Look(c.Program)
	return err == nil
}

func (opt Options) each(clients []client.Client, do func(*run, client.Client) (Outcome, error)) (Report, error) {
	report := Report{Scope: opt.Scope, Root: opt.Root, DryRun: opt.DryRun, Clients: []Outcome{}}
	r := &run{opt: opt, planned: map[string][]byte{}}
	dir := StateDir(opt.Env, opt.Home)
	if !opt.DryRun {
		unlock, err := lockLedger(ledgerPath(dir, client.Scope(opt.Scope), opt.Root))
		if err != nil {
			return report, err
		}
		defer unlock()
	}
	var err error
	if r.ledger, err = readLedger(dir, client.Scope(opt.Scope), opt.Root); err != nil {
		return report, err
	}
	for _, c := range clients {
		o, err := do(r, c)
		if err != nil {
			return report, err
		}
		o.Client, o.Name, o.Found = c.ID, c.Name, opt.finds(c)
		report.Clients = append(report.Clients, o)
	}
	return report, nil
}

// setup is what a client is told.
func (r *run) setup(c client.Client) client.Setup {
	s := client.Setup{Acc: r.opt.Acc, Server: r.opt.Server, Participant: r.opt.Participant, Delivery: r.opt.Delivery}
	if s.Participant == "" {
		s.Participant = c.ID
	}
	return s
}

func (r *run) install(c client.Client) (Outcome, error) {
	s := r.setup(c)
	o := Outcome{Participant: s.Participant, Delivery: s.Delivery, Files: []FileChange{}}
	files, err := r.files(c)
	if err != nil {
		return r.refuse(o, files.Server, err), nil
	}
	var changes []change
	for _, w := range want(c, files, s) {
		ch, err := r.planFile(c.ID, w)
		if err != nil {
			return r.refuse(o, w.path, err), nil
		}
		changes = append(changes, ch)
	}
	rec := &record{Version: r.opt.Version, Participant: s.Participant, Delivery: s.Delivery}
	for _, ch := range changes {
		rec.Files = append(rec.Files, ch.note)
		o.Files = append(o.Files, r.show(ch))
	}
	fresh := r.ledger.Clients[c.ID] == nil
	r.ledger.Clients[c.ID] = rec
	o.State = installState(changes, fresh)
	o.Next = r.next(c, o.State)
	// The ledger goes first: what it names and is not there does no harm.
	return o, r.commit(changes, true)
}

// next is what a person has to do before the client uses what was written.
func (r *run) next(c client.Client, state State) string {
	scope := client.Scope(r.opt.Scope)
	if c.Trusts(scope, r.opt.Root, r.opt.Home, r.opt.Env) == client.Trusted && (state == Unchanged || !c.Rechecks) {
		return ""
	}
	return c.TrustStep(scope)
}

func installState(changes []change, fresh bool) State {
	state := Unchanged
	for _, ch := range changes {
		if !bytes.Equal(ch.file.data, ch.after) {
			state = Updated
			if fresh {
				return Installed
			}
		}
	}
	return state
}
