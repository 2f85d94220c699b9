// Package scale measures the tools in rooms of every size, with many writers,
// and against what the machine can do at best. It holds benchmarks and tests
// only. make bench runs them and makes docs/measurements.md of what they say.
package scale
