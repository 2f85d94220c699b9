// Package doctor looks at a room, at the file system it lies on and at the
// programs that use it, and says what is wrong with them and what to do. It
// reads everything and changes nothing, so it works on a room that is damaged,
// that may only be read, or that is not there.
//
// Repair does the part that cannot lose anything: it finishes what a dead
// process left, makes anew what is derived, and takes in what came with the
// code. Records it never touches.
package doctor
