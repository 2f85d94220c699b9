//go:build !race

package fsstore

// settledMessages is how many there are in a large room.
const settledMessages = 100_100
