import { createAgingMap } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import type { WireRequest } from '../dialects/dialect.ts'
import type { GatewayBounds, RequestEnd } from '../gateway.ts'
import { stateOf } from './agent-state.ts'
import type { Caller } from './caller.ts'
import { conversationKey } from './conversation-key.ts'

/** The scopes of agents that are told apart by what their program says in its headers, or by how they begin. */
export interface AgentScopes {
  /**
   * The scope that a caller spends from, at or below that of its key: opened when it is first seen. Throws what opening
   * it throws, `LimitExceededError` where a limit does not allow one more.
   */
  scopeFor(keyScope: Scope, caller: Caller, request: WireRequest): Promise<Scope>
  /** A request of it begins; what it returns is called at its end, with what became of it unless that is not known. */
  begin(scope: Scope): (end: RequestEnd | null) => void
  /** Ends them all. */
  close(): Promise<void>
}

interface AgentScope {
  readonly parent: Scope
  /** How many agents are above it, as far as their program says so. */
  readonly depth: number
  readonly opened: Promise<Scope>
  scope: Scope | null
  inFlight: number
  usedAtMs: number
  /** Whether anything of it was let in, so that it may hold something back, since that lapsed last. */
  isLetIn: boolean
  /** It holds nothing back, and no request of it is on its way. */
  isVacant: boolean
  /** Gives its hold back, unless another request comes first. */
  lapse: NodeJS.Timeout | null
}

const UNUSED = { scope: null, inFlight: 0, isLetIn: false, isVacant: false, lapse: null }
const IDLE_MS = 600_000
const MOST_SESSIONS = 10_000
// Each call is counted on every scope above it.
const DEEPEST = 16

/**
 * Nobody says when such an agent ends. So there are at most so many; one that holds nothing back, or else the one that
 * was idle longest, makes room. If none is idle, or they are nested too deep, a further agent is counted on the scope
 * above it.
 */
export function createAgentScopes(
  { agents: mostAgents, lapseMs, lapseWithToolsMs }: Pick<GatewayBounds, 'agents' | 'lapseMs' | 'lapseWithToolsMs'>,
  now: () => number = () => performance.now(),
): AgentScopes {
  const agents = new Map<string, AgentScope>()
  // The agent that leads each session; `null` where it has no id.
  const leaders = createAgingMap<string | null>(MOST_SESSIONS)

  async function open(key: string, parent: Scope, name: string, depth = 0): Promise<Scope> {
    const known = agents.get(key)
    if (known !== undefined) {
      known.isVacant = false
      return known.opened
    }
    if (depth > DEEPEST || (agents.size >= mostAgents && !(await makeRoom()))) return parent
    // While room was made, another request of it may have come.
    const meanwhile = agents.get(key)
    if (meanwhile !== undefined) return meanwhile.opened
    const opened = parent.open({ name, agentType: 'wire' })
    const agent: AgentScope = { ...UNUSED, parent, depth, opened, usedAtMs: now() }
    agents.set(key, agent)
    try {
      agent.scope = await opened
      return agent.scope
    } catch (error) {
      agents.delete(key)
      throw error
    }
  }

  async function makeRoom(): Promise<boolean> {
    // Whoever has agents below it is not idle: they would end with it.
    const parents = new Set(Array.from(agents.values(), ({ parent }) => parent))
    const idle = [...agents].filter(
      ([, { scope, inFlight }]) => scope !== null && inFlight === 0 && !parents.has(scope),
    )
    const [first] = idle.toSorted(
      ([, left], [, right]) => Number(right.isVacant) - Number(left.isVacant) || left.usedAtMs - right.usedAtMs,
    )
    if (first === undefined || (!first[1].isVacant && now() - first[1].usedAtMs < IDLE_MS)) return false
    agents.delete(first[0])
    clearTimeout(first[1].lapse ?? undefined)
    await first[1].scope!.close().catch(() => {})
    return true
  }

  function lapse(agent: AgentScope): void {
    if (agent.inFlight > 0 || agent.scope === null) return
    agent.isLetIn = false
    agent.isVacant = true
    // A store that cannot be reached now is told when the scope ends.
    edgeOf(agent.scope)
      .lapseConversation()
      .catch(() => {})
  }

  function leaderOf(sessionKey: string, { agentId, leadsByBeingFirst }: Caller): string | null {
    const known = leaders.get(sessionKey)
    if (known !== undefined) return known
    const leader = leadsByBeingFirst ? agentId : null
    leaders.set(sessionKey, leader)
    return leader
  }

  return {
    async scopeFor(keyScope, caller, request) {
      const { sessionId, agentId, parentId, name } = caller
      if (sessionId === null && agentId === null) {
        const key = edgeOf(keyScope).runsAgent ? null : conversationKey(request)
        return key === null ? keyScope : open(`${keyScope.id}\n${key}`, keyScope, `conversation ${key}`)
      }
      const sessionKey = `${keyScope.id}\n${sessionId ?? ''}`
      const isRun = edgeOf(keyScope).runsAgent
      // Many spend from a budget: there each session is a run of its own, and nobody leads the budget itself.
      const leader = isRun || sessionId !== null ? leaderOf(sessionKey, caller) : null
      const base =
        isRun || sessionId === null ? keyScope : await open(sessionKey, keyScope, `session ${name}`.slice(0, 80))
      if (agentId === null || agentId === leader) return base
      const above = parentId === null ? undefined : agents.get(`${sessionKey}\n${parentId}`)
      const parent = above === undefined ? base : await above.opened
      return open(`${sessionKey}\n${agentId}`, parent, name, (above?.depth ?? 0) + 1)
    },
    begin(scope) {
      const agent = [...agents.values()].find((each) => each.scope === scope)
      if (agent === undefined) return () => {}
      agent.inFlight++
      clearTimeout(agent.lapse ?? undefined)
      return (end) => {
        agent.inFlight--
        agent.usedAtMs = now()
        if (end !== 'refused-by-stint') agent.isLetIn = true
        if (agent.inFlight > 0) return
        agent.isVacant = !agent.isLetIn
        const ms = stateOf(scope).awaitsResults ? lapseWithToolsMs : lapseMs
        agent.lapse = setTimeout(() => lapse(agent), ms).unref()
      }
    },
    async close() {
      const open = [...agents.values()].toReversed()
      agents.clear()
      for (const { lapse } of open) clearTimeout(lapse ?? undefined)
      for (const { opened } of open) await opened.then((scope) => scope.close()).catch(() => {})
    },
  }
}
