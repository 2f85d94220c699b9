// acc for opencode. This file was written by acc install; acc uninstall removes it.
// It gives the events of a session to "acc hook opencode EVENT" as JSON on stdin and does what the answer says. When acc
// does not answer within its time, everything goes on as without it.
import { spawn } from "node:child_process"

const ACC = "@acc@"
const OPTIONS = ["@options@"]
const TIMEOUT = 5000 // milliseconds

function hook(event, input) {
  return new Promise((resolve) => {
    let out = ""
    const done = (answer) => { clearTimeout(timer); resolve(answer) }
    const child = spawn(ACC, ["hook", "opencode", event, ...OPTIONS], { cwd: input.cwd, stdio: ["pipe", "pipe", "ignore"] })
    const timer = setTimeout(() => { child.kill(); done({}) }, TIMEOUT)
    child.on("error", () => done({}))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (chunk) => { out += chunk })
    child.on("close", (code) => {
      try { done(code === 0 && out ? JSON.parse(out) : {}) } catch { done({}) }
    })
    child.stdin.end(JSON.stringify(input))
  })
}

export const AccPlugin = async ({ directory }) => {
  const created = new Set() // sessions that began while we ran
  const parents = new Map() // sessions of subagents, and whose they are
  const known = new Map() // sessions that acc was told of, and when it has heard
  const base = (id) => ({ session_id: id, cwd: directory })

  const start = (id) => {
    if (!known.has(id)) known.set(id, hook("session-start", { ...base(id), source: created.has(id) ? "startup" : "resume" }))
    return known.get(id)
  }

  return {
    event: async ({ event }) => {
      if (event.type !== "session.created") return
      const { id, parentID } = event.properties.info
      if (parentID) parents.set(id, parents.get(parentID) ?? parentID)
      else created.add(id)
    },
    "chat.message": async (input, output) => {
      const id = input.sessionID
      if (parents.has(id)) return
      const first = !known.has(id)
      const texts = [first ? (await start(id)).context : "", (await hook("before-turn", base(id))).context]
      texts.filter(Boolean).forEach((text, i) => {
        const part = "prt_" + (Date.now() * 4096 + i).toString(16).padStart(14, "0") + "acc" + Math.random().toString(36).slice(2, 11)
        output.parts.push({ id: part, messageID: output.message.id, sessionID: id, type: "text", text, synthetic: true })
      })
    },
    "tool.execute.before": async (input, output) => {
      const id = parents.get(input.sessionID) ?? input.sessionID
      const answer = await hook("before-tool", { ...base(id), tool_name: input.tool, tool_input: output.args })
      if (answer.deny) throw new Error(answer.deny)
    },
    "tool.execute.after": async (input, output) => {
      const id = input.sessionID
      const text = typeof output.output === "string", content = Array.isArray(output.content)
      if (parents.has(id) || !text && !content) return // there is nowhere to put mail
      const { context } = await hook("after-tool", { ...base(id), tool_name: input.tool })
      if (context && text) output.output += "\n\n" + context
      else if (context) output.content.push({ type: "text", text: context })
    },
    dispose: async () => {
      await Promise.all([...known.keys()].map((id) => hook("session-end", { ...base(id), reason: "exit" })))
    },
  }
}
