package schema

import (
	"encoding/hex"
	"slices"
	"strings"
)

// checker collects the first failure of a record. It keeps Validate methods a
// list of rules instead of a ladder of ifs.
type checker struct {
	version int
	err     error
}

func (c *checker) add(err error) {
	if c.err == nil && c.version != Version {
		c.err = Fail(ReasonRecordDamaged, "schemaVersion is %d, this program knows %d", c.version, Version)
	}
	if c.err == nil {
		c.err = err
	}
}

func (c *checker) that(field string, ok bool, why string) {
	if ok {
		c.add(nil)
		return
	}
	c.add(Fail(ReasonRecordDamaged, "%s %s", field, why))
}

func (c *checker) id(field string, kind IDKind, s string) { c.add(checkID(field, kind, s)) }

func (c *checker) participant(field, s string) { c.add(CheckParticipantID(field, s)) }

func (c *checker) line(field, s string, max int) { c.add(CheckLine(field, s, max)) }

func (c *checker) body(field, s string) { c.add(CheckBody(field, s)) }

func (c *checker) oneOf(field, s string, allowed ...string) {
	c.that(field, slices.Contains(allowed, s), "must be one of "+strings.Join(allowed, ", "))
}

func (c *checker) hex(field, s string, length int) {
	_, err := hex.DecodeString(s)
	c.that(field, err == nil && len(s) == length, "is not of the right form")
}

// listed refuses a list that is missing or null: an empty one is written out,
// and a record that lost its recipients must not pass for a room message.
func (c *checker) listed(field string, there bool) { c.that(field, there, "is missing") }

func (c *checker) at(field string, t Time) { c.that(field, !t.IsZero(), "is missing") }

func (c *checker) items(field string, items []string) {
	c.listed(field, items != nil)
	c.add(CheckItems(field, items))
}

func (c *checker) recipients(field string, ids []string) {
	c.listed(field, ids != nil)
	c.that(field, len(ids) <= MaxRecipients && unique(ids), "must hold different ids, at most 100")
	for _, id := range ids {
		c.participant(field, id)
	}
}

func (c *checker) resources(field string, resources []Resource) {
	c.listed(field, resources != nil)
	c.that(field, len(resources) <= MaxResources, "has too many items")
	for _, r := range resources {
		c.that(field, r.Canonical(), "holds a resource that is not in canonical form")
	}
}
