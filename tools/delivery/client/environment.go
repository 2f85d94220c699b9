package client

import "strings"

// FromEnvironment is what a client says of itself in the environment of the
// programs that it starts: the name of its session and its version, each "" if
// it does not say.
func FromEnvironment(getenv func(string) string, id string) (session, version string) {
	switch id {
	case Claude:
		return getenv("CLAUDE_CODE_SESSION_ID"), claudeVersion(getenv("AI_AGENT"))
	case Qwen:
		return getenv("QWEN_CODE_SESSION_ID"), getenv("QWEN_CODE_STARTUP_VERSION")
	}
	return "", ""
}

// project is the directory that a client was started for. Its working
// directory may have moved since, into another repository even.
func project(getenv func(string) string, id string) string {
	if name := dialects[id].project; name != "" {
		return getenv(name)
	}
	return ""
}

// claudeVersion finds 2.1.332 in claude-code_2-1-332_harness.
func claudeVersion(agent string) string {
	rest, ok := strings.CutPrefix(agent, "claude-code_")
	if !ok {
		return ""
	}
	number, _, _ := strings.Cut(rest, "_")
	version := strings.ReplaceAll(number, "-", ".")
	if _, ok := numbers(version); !ok {
		return ""
	}
	return version
}
