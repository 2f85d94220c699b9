package fsstore

// keepDirs lets the disk keep directories open for as long as somebody is in
// the room, if it can: a send names a dozen files in half as many directories,
// and finding each anew from the top would be most of what it does. Afterwards
// nothing is kept, since others may remove an empty directory and make it anew.
func (s *Store) keepDirs(e *entry) {
	if d, ok := s.disk.(rootDisk); ok {
		e.onLeave = d.held.hold()
	}
}
