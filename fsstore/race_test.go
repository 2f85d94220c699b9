//go:build race

package fsstore

// settledMessages is smaller where everything takes ten times as long.
const settledMessages = 20_100
