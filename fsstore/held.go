package fsstore

// holding lets the disk keep directories open until release, if it can: a send
// names a dozen files in half as many directories, and finding each anew from
// the top would be most of what it does. Between locks nothing is kept, since
// others may remove an empty directory and make it anew.
func (s *Store) holding(release func()) func() {
	d, ok := s.disk.(rootDisk)
	if !ok {
		return release
	}
	end := d.held.hold()
	return func() {
		done := end()
		release()
		done()
	}
}
