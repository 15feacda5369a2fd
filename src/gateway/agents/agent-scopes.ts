import { createAgingMap, type ScopeAbout } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import type { WireRequest } from '../dialects/dialect.ts'
import type { GatewayBounds, RequestEnd } from '../gateway.ts'
import { learnedStateOf, restoreState, stateOf } from './agent-state.ts'
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
  /** Stores what was learned of it, before its answer ends, if other gateways may have its next request. */
  keep(agent: AgentScope): Promise<void>
  /** Its request is over; `null`: the outcome is unknown. */
  end(agent: AgentScope, end: RequestEnd | null): void
  /** Ends them all. */
  close(): Promise<void>
}

interface AgentScope {
  parent: Scope
  /** How many agents are above it, as far as their program says. */
  readonly depth: number
  opened: Promise<Scope>
  scope: Scope | null
  inFlight: number
  usedAtMs: number
  /** Whether any of its requests was admitted, so that it may have a hold, since the last lapse. */
  isLetIn: boolean
  /** It has no hold, and no request in progress. */
  isVacant: boolean
  /** Releases its hold, unless another request comes first. */
  lapse: NodeJS.Timeout | null
  /** How many scopes of it have ended, as far as known here. */
  ended: number
}

interface NewAgent {
  readonly key: string
  readonly parent: Scope
  readonly name: string
  readonly depth?: number
  readonly about: (() => ScopeAbout) | undefined
}

const UNUSED = { scope: null, inFlight: 0, isLetIn: false, isVacant: false, lapse: null, ended: 0 }
const IDLE_MS = 600_000
const MOST_SESSIONS = 10_000
// Each call is counted on every scope above it.
const DEEPEST = 16

interface AgentScopesOptions extends Pick<GatewayBounds, 'agents' | 'lapseMs' | 'lapseWithToolsMs'> {
  /** Whether other gateways on the same ledger serve the same agents: each request asks the ledger whose it is. */
  readonly isShared?: boolean
}

/**
 * The end of such an agent is not reported. So their number is bounded: one without a hold, or else the one idle
 * longest, makes room. If none is idle, or they are nested too deep, a further agent is counted on the scope above it.
 */
export function createAgentScopes(
  { agents: mostAgents, lapseMs, lapseWithToolsMs, isShared = false }: AgentScopesOptions,
  now: () => number = () => performance.now(),
): AgentScopes {
  const agents = new Map<string, AgentScope>()
  const byScope = new WeakMap<Scope, AgentScope>()
  // The leading agent of each session; `null` if it has no id.
  const leaders = createAgingMap<string | null>(MOST_SESSIONS)

  async function open(wanted: NewAgent): Promise<Scope> {
    const { key, parent, depth = 0 } = wanted
    const known = agents.get(key)
    if (known !== undefined) {
      known.isVacant = false
      return isShared ? rejoin(known, wanted) : known.opened
    }
    if (depth > DEEPEST || (agents.size >= mostAgents && !(await makeRoom()))) return parent
    // While room was made, another of its requests may have arrived.
    const meanwhile = agents.get(key)
    if (meanwhile !== undefined) return isShared ? rejoin(meanwhile, wanted) : meanwhile.opened
    const unopened = Promise.reject(new Error('Not opened yet.'))
    unopened.catch(() => {})
    const agent: AgentScope = { ...UNUSED, parent, depth, opened: unopened, usedAtMs: now() }
    agents.set(key, agent)
    agent.opened = isShared ? join(agent, wanted) : openNew(agent, wanted)
    try {
      return await agent.opened
    } catch (error) {
      if (agents.get(key) === agent && agent.scope === null) agents.delete(key)
      throw error
    }
  }

  async function openNew(agent: AgentScope, { parent, name, about }: NewAgent): Promise<Scope> {
    const scope = await parent.open({ name, agentType: 'wire', ...(about === undefined ? {} : { about: about() }) })
    return enter(agent, scope)
  }

  function enter(agent: AgentScope, scope: Scope): Scope {
    agent.scope = scope
    byScope.set(scope, agent)
    return scope
  }

  /** One request after the other asks the ledger: the first one has brought along what was learned elsewhere. */
  function rejoin(agent: AgentScope, wanted: NewAgent): Promise<Scope> {
    agent.parent = wanted.parent
    agent.opened = agent.opened.then(
      () => join(agent, wanted),
      () => join(agent, wanted),
    )
    return agent.opened
  }

  async function join(agent: AgentScope, { key, parent, name, about }: NewAgent): Promise<Scope> {
    const spec = {
      key,
      name,
      agentType: 'wire',
      ended: agent.ended,
      ...(about === undefined ? {} : { about: about() }),
    }
    const { scope, ended, learned } = await edgeOf(parent).joinConversation(spec)
    agent.ended = ended
    enter(agent, scope)
    if (learned === undefined) return scope
    restoreState(scope, learned)
    // Its hold is up to us now, even if only an agent below it was called here.
    if (agent.inFlight === 0) lapseAfter(agent, lapseWithToolsMs)
    return scope
  }

  function lapseAfter(agent: AgentScope, ms: number): void {
    clearTimeout(agent.lapse ?? undefined)
    agent.lapse = setTimeout(() => lapse(agent), ms).unref()
  }

  /** If the store cannot be reached, it is written later. */
  async function keep({ scope }: AgentScope): Promise<void> {
    if (isShared && scope !== null)
      await edgeOf(scope)
        .keepLearned(learnedStateOf(scope))
        .catch(() => {})
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
    await edgeOf(first[1].scope!)
      .endConversation()
      .catch(() => {})
    return true
  }

  function lapse(agent: AgentScope): void {
    if (agent.inFlight > 0 || agent.scope === null) return
    agent.isLetIn = false
    agent.isVacant = true
    // If the store cannot be reached, the scope's end is written later.
    edgeOf(agent.scope)
      .lapseConversation()
      .then(() => keep(agent))
      .catch(() => {})
  }

  function leaderOf(sessionKey: string, { agentId, leadsByBeingFirst }: Caller): string | null {
    const known = leaders.get(sessionKey)
    if (known !== undefined) return known
    const leader = leadsByBeingFirst ? agentId : null
    leaders.set(sessionKey, leader)
    return leader
  }

  /** The same for a session that several gateways serve: the first of them stores it with the session. */
  async function sharedLeaderOf(session: Scope, { agentId, leadsByBeingFirst }: Caller): Promise<string | null> {
    const state = stateOf(session)
    if (state.leader === undefined) {
      state.leader = leadsByBeingFirst ? agentId : null
      await edgeOf(session)
        .keepLearned(learnedStateOf(session))
        .catch(() => {})
    }
    return state.leader
  }

  return {
    keep,
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
      const hasLeader = isRun || sessionId !== null
      const base =
        isRun || sessionId === null
          ? keyScope
          : await open({ key: sessionKey, parent: keyScope, name: `session ${name}`.slice(0, 80), about })
      const isOfMany = isShared && base !== keyScope
      const leader = !hasLeader ? null : isOfMany ? await sharedLeaderOf(base, caller) : leaderOf(sessionKey, caller)
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
      agent.lapse = null
      return agent
    },
    end(agent, end) {
      agent.inFlight--
      agent.usedAtMs = now()
      void keep(agent)
      if (end !== 'refused-by-stint') agent.isLetIn = true
      if (agent.inFlight > 0) return
      agent.isVacant = !agent.isLetIn
      const ms = stateOf(agent.scope!).awaitsResults ? lapseWithToolsMs : lapseMs
      lapseAfter(agent, ms)
    },
    async close() {
      const open = [...agents.values()].toReversed()
      agents.clear()
      for (const { lapse } of open) clearTimeout(lapse ?? undefined)
      for (const { opened } of open) await opened.then((scope) => edgeOf(scope).endConversation()).catch(() => {})
    },
  }
}
