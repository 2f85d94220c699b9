// Package mcpserver serves a tools.Registry over the Model Context Protocol on
// stdin and stdout, in the revisions 2025-06-18 and 2025-11-25 (after
// initialize) and 2026-07-28 (per request).
//
// The official SDK dispatches the requests. Everything a client can see is
// made here, because the SDK's stdio transport ends the session on a damaged
// line, loses answers at the end of input and runs calls in no order:
//
//   - conn is our transport. It reads lines, refuses what is no valid request,
//     keeps the life cycle of the initialized era, runs calls one after
//     another, and writes every byte of output.
//   - middleware answers every method and turns panics into error answers.
//
// What the SDK is given of a request is its method and a number under which
// middleware finds the rest. So nothing that a client writes, however damaged,
// passes through the SDK's decoders, and arguments reach a tool byte for byte.
package mcpserver
