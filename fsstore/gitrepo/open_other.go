//go:build !unix

package gitrepo

const nonBlock = 0
