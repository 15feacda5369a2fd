import { createAgingMap, type ScopeAbout } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import type { WireRequest } from '../dialects/dialect.ts'
import type { GatewayBounds, RequestEnd } from '../gateway.ts'
import { stateOf } from './agent-state.ts'
import type { Caller } from './caller.ts'
import { conversationKey } from './conversation-key.ts'

/** The scopes of agents that are told apart by their program's headers, or by how their conversations start. */
export interface AgentScopes {
  /**
   * The scope that a caller spends from, at or below that of its key: opened on first use. Throws what opening it
   * throws, e.g. `LimitExceededError` if a limit does not allow another one.
   */
  scopeFor(keyScope: Scope, caller: Caller, request: WireRequest, about?: () => ScopeAbout): Promise<Scope>
  /** A request of this scope begins; `null` if it does not belong to such an agent. */
  begin(scope: Scope): AgentScope | null
  /** Its request is over; `null`: the outcome is unknown. */
  end(agent: AgentScope, end: RequestEnd | null): void
  /** Ends them all. */
  close(): Promise<void>
}

interface AgentScope {
  readonly parent: Scope
  /** How many agents are above it, as far as their program says. */
  readonly depth: number
  readonly opened: Promise<Scope>
  scope: Scope | null
  inFlight: number
  usedAtMs: number
  /** Whether any of its requests was admitted, so that it may have a hold, since the last lapse. */
  isLetIn: boolean
  /** It has no hold, and no request in progress. */
  isVacant: boolean
  /** Releases its hold, unless another request comes first. */
  lapse: NodeJS.Timeout | null
}

interface NewAgent {
  readonly key: string
  readonly parent: Scope
  readonly name: string
  readonly depth?: number
  readonly about: (() => ScopeAbout) | undefined
}

const UNUSED = { scope: null, inFlight: 0, isLetIn: false, isVacant: false, lapse: null }
const IDLE_MS = 600_000
const MOST_SESSIONS = 10_000
// Each call is counted on every scope above it.
const DEEPEST = 16

/**
 * The end of such an agent is not reported. So their number is bounded: one without a hold, or else the one idle
 * longest, makes room. If none is idle, or they are nested too deep, a further agent is counted on the scope above it.
 */
export function createAgentScopes(
  { agents: mostAgents, lapseMs, lapseWithToolsMs }: Pick<GatewayBounds, 'agents' | 'lapseMs' | 'lapseWithToolsMs'>,
  now: () => number = () => performance.now(),
): AgentScopes {
  const agents = new Map<string, AgentScope>()
  const byScope = new WeakMap<Scope, AgentScope>()
  // The leading agent of each session; `null` if it has no id.
  const leaders = createAgingMap<string | null>(MOST_SESSIONS)

  async function open({ key, parent, name, depth = 0, about }: NewAgent): Promise<Scope> {
    const known = agents.get(key)
    if (known !== undefined) {
      known.isVacant = false
      return known.opened
    }
    if (depth > DEEPEST || (agents.size >= mostAgents && !(await makeRoom()))) return parent
    // While room was made, another of its requests may have arrived.
    const meanwhile = agents.get(key)
    if (meanwhile !== undefined) return meanwhile.opened
    const opened = parent.open({ name, agentType: 'wire', ...(about === undefined ? {} : { about: about() }) })
    const agent: AgentScope = { ...UNUSED, parent, depth, opened, usedAtMs: now() }
    agents.set(key, agent)
    try {
      agent.scope = await opened
      byScope.set(agent.scope, agent)
      return agent.scope
    } catch (error) {
      agents.delete(key)
      throw error
    }
  }

  async function makeRoom(): Promise<boolean> {
    // An agent with agents below it is not idle: they would end with it.
    const parents = new Set(Array.from(agents.values(), ({ parent }) => parent))
    const idle = [...agents].filter(
      ([, { scope, inFlight }]) => scope !== null && inFlight === 0 && !parents.has(scope),
    )
    const [first] = idle.toSorted(
      ([, left], [, right]) => Number(right.isVacant) - Number(left.isVacant) || left.usedAtMs - right.usedAtMs,
    )
    if (first === undefined || (!first[1].isVacant && now() - first[1].usedAtMs < IDLE_MS)) return false
    agents.delete(first[0])
    byScope.delete(first[1].scope!)
    clearTimeout(first[1].lapse ?? undefined)
    await first[1].scope!.close().catch(() => {})
    return true
  }

  function lapse(agent: AgentScope): void {
    if (agent.inFlight > 0 || agent.scope === null) return
    agent.isLetIn = false
    agent.isVacant = true
    // If the store cannot be reached, the scope's end is written later.
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
    async scopeFor(keyScope, caller, request, about) {
      const { sessionId, agentId, parentId, name } = caller
      if (sessionId === null && agentId === null) {
        const key = edgeOf(keyScope).runsAgent ? null : conversationKey(request)
        return key === null
          ? keyScope
          : open({ key: `${keyScope.id}\n${key}`, parent: keyScope, name: `conversation ${key}`, about })
      }
      const sessionKey = `${keyScope.id}\n${sessionId ?? ''}`
      const isRun = edgeOf(keyScope).runsAgent
      // A budget is shared: each session is a separate run, and none of them owns the budget.
      const leader = isRun || sessionId !== null ? leaderOf(sessionKey, caller) : null
      const base =
        isRun || sessionId === null
          ? keyScope
          : await open({ key: sessionKey, parent: keyScope, name: `session ${name}`.slice(0, 80), about })
      if (agentId === null || agentId === leader) return base
      const above = parentId === null ? undefined : agents.get(`${sessionKey}\n${parentId}`)
      const parent = above === undefined ? base : await above.opened
      return open({ key: `${sessionKey}\n${agentId}`, parent, name, depth: (above?.depth ?? 0) + 1, about })
    },
    begin(scope) {
      const agent = byScope.get(scope)
      if (agent === undefined) return null
      agent.inFlight++
      clearTimeout(agent.lapse ?? undefined)
      return agent
    },
    end(agent, end) {
      agent.inFlight--
      agent.usedAtMs = now()
      if (end !== 'refused-by-stint') agent.isLetIn = true
      if (agent.inFlight > 0) return
      agent.isVacant = !agent.isLetIn
      const ms = stateOf(agent.scope!).awaitsResults ? lapseWithToolsMs : lapseMs
      agent.lapse = setTimeout(() => lapse(agent), ms).unref()
    },
    async close() {
      const open = [...agents.values()].toReversed()
      agents.clear()
      for (const { lapse } of open) clearTimeout(lapse ?? undefined)
      for (const { opened } of open) await opened.then((scope) => scope.close()).catch(() => {})
    },
  }
}
