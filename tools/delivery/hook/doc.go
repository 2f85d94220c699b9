// Package hook is what happens in a hook of a coding agent, whichever agent it
// is: the agent's session is attached or resumed, mail and the state of the
// room are put in front of its model, an edit into guarded ground is stopped,
// and a turn is held open when an answer is asked for.
//
// A hook must never be in the way of its agent: whoever calls Run takes an
// error for a remark, and lets the agent go on.
package hook
