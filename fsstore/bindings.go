package fsstore

import (
	"path"
	"strings"

	"acc/schema"
)

// What adapters need lies in run/: for this machine alone, readable by its
// owner alone, and no loss when it is gone.
const (
	bindingsDir = "run/bindings"
	policiesDir = "run/policies"
	shownDir    = "run/shown"
)

func bindingName(sessionID, adapterID string) string {
	if !schema.ValidAdapterID(adapterID) {
		adapterID = noID
	}
	return path.Join(bindingsDir, checked(schema.IDSession, sessionID)+"."+adapterID+jsonExt)
}

func parseBinding(base string) (sessionID, adapterID string, ok bool) {
	stem, isJSON := strings.CutSuffix(base, jsonExt)
	sessionID, adapterID, _ = strings.Cut(stem, ".")
	return sessionID, adapterID, isJSON && schema.ValidID(schema.IDSession, sessionID) && schema.ValidAdapterID(adapterID)
}

func policyName(participant string) string {
	return path.Join(policiesDir, checkedParticipant(participant)+jsonExt)
}

func shownName(participant string) string {
	return path.Join(shownDir, checkedParticipant(participant)+jsonExt)
}

// Bindings lists the routes into clients, those whose lease is over too. One
// that cannot be read is none.
func (v *View) Bindings() ([]schema.Binding, error) {
	names, err := v.names(bindingsDir, func(base string) bool {
		_, _, ok := parseBinding(base)
		return ok
	})
	if err != nil {
		return nil, err
	}
	var bindings []schema.Binding
	for _, base := range names {
		var b schema.Binding
		name := path.Join(bindingsDir, base)
		data, err := v.read(name)
		if err == nil && schema.Decode(data, &b) == nil && name == bindingName(b.SessionID, b.AdapterID) {
			bindings = append(bindings, b)
		}
	}
	return bindings, nil
}

// DeadAdapter reports whether the adapter of a route is a process of this host
// that is known to be dead.
func (e Env) DeadAdapter(b *schema.Binding) bool {
	return e.dead(Process{Host: b.Host, PID: b.PID, Start: b.ProcessStart})
}

// Bind records a route into a client, or prolongs it.
func (s *Store) Bind(b *schema.Binding) error {
	return s.placeRecord(bindingName(b.SessionID, b.AdapterID), b, "record the route into the client")
}

// Unbind takes a route back.
func (s *Store) Unbind(sessionID, adapterID string) {
	_ = s.disk.Remove(bindingName(sessionID, adapterID))
}

// LivePolicy is what a participant lets live adapters hand to it; without a
// record that can be read, nothing.
func (v *View) LivePolicy(participant string) schema.DeliveryPolicy {
	var p schema.Policy
	data, err := v.read(policyName(participant))
	if err != nil || schema.Decode(data, &p) != nil || p.ParticipantID != participant {
		return schema.DeliverNothing
	}
	return p.LivePolicy
}

// SetLivePolicy records what a participant lets live adapters hand to it.
func (s *Store) SetLivePolicy(p *schema.Policy) error {
	return s.placeRecord(policyName(p.ParticipantID), p, "record the policy")
}

// Shown is what hooks have put in front of a participant's client; nothing
// where there is no record that can be read.
func (v *View) Shown(participant string) schema.Shown {
	var sh schema.Shown
	data, err := v.read(shownName(participant))
	if err != nil || schema.Decode(data, &sh) != nil || sh.ParticipantID != participant {
		return schema.Shown{SchemaVersion: schema.Version, ParticipantID: participant, Named: []string{}, Held: []string{}}
	}
	return sh
}

// SetShown records what hooks have put in front of a participant's client.
func (s *Store) SetShown(sh *schema.Shown) error {
	return s.placeRecord(shownName(sh.ParticipantID), sh, "record what was shown")
}

// ForgetParticipant removes what adapters need of a participant who is gone.
func (s *Store) ForgetParticipant(id string) {
	_ = s.disk.Remove(policyName(id))
	_ = s.disk.Remove(shownName(id))
}

// ForgetAdapters removes the routes into a session that is over for good.
func (s *Store) ForgetAdapters(sessionID string) error {
	entries, err := s.disk.List(bindingsDir)
	if err != nil {
		return ioError("forget the routes into a client", err)
	}
	for _, e := range entries {
		if id, adapter, ok := parseBinding(e.Name()); ok && id == sessionID {
			s.Unbind(id, adapter)
		}
	}
	// Nobody asks for the right to serve this session again.
	_ = s.disk.Remove(servingName(sessionID))
	return nil
}

func (s *Store) placeRecord(name string, r schema.Record, what string) error {
	data, err := schema.Encode(r)
	if err != nil {
		return err
	}
	if err := s.place(name, data); err != nil {
		return ioError(what, err)
	}
	return nil
}
