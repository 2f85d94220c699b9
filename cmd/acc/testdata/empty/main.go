// Command empty is the least that a program can be. What acc costs to start is
// measured against it.
package main

func main() {}
