import { type AgingMap, createAgingMap } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { type LearnedLoop, learnedFrom, restoreLearned } from '../../loop/learned-loop.ts'
import { createLoopState, type LoopState } from '../../loop/loop-state.ts'
import { createUnansweredRequests, type UnansweredRequests } from '../call/unanswered-requests.ts'
import { shownPath } from '../http/answer-headers.ts'

/** What the gateway remembers of the conversations of one scope. */
export interface AgentState extends LoopState {
  /** Its path, as shown in answers. */
  readonly shownPath: string
  /** Whether the request after a limit is sent as the closing call; `null` before its first request with tools. */
  wrapsUp: boolean | null
  /** Whether its last answer called tools whose results have not arrived yet. */
  awaitsResults: boolean
  /**
   * Tool calls that were counted and never reached their client, each with the prompt it answered; `null`: it did,
   * later.
   */
  readonly lostCalls: AgingMap<string | null>
  readonly unanswered: UnansweredRequests
  /** Of the scope of a session that several gateways serve: its leading agent, `null` if that has no id. */
  leader: string | null | undefined
}

/** What another gateway on the same ledger needs to continue the conversations of a scope. */
interface LearnedState {
  readonly loop: LearnedLoop
  readonly lostCalls: readonly (readonly [id: string, promptDigest: string | null])[]
  readonly leader?: string | null
}

const MOST_LOST_KEPT = 200

/** As text, to be stored with the scope. */
export function learnedStateOf(scope: Scope): string {
  const state = stateOf(scope)
  const lostCalls = [...new Map(state.lostCalls.entries())].slice(-MOST_LOST_KEPT)
  const leader = state.leader === undefined ? {} : { leader: state.leader }
  const learned: LearnedState = { loop: learnedFrom(state), lostCalls, ...leader }
  return JSON.stringify(learned)
}

/** Continues with what another gateway has kept with `learnedStateOf`; `null`: nothing. */
export function restoreState(scope: Scope, learned: string | null): void {
  if (learned === null) return
  const { loop, lostCalls, leader }: LearnedState = JSON.parse(learned)
  const state = stateOf(scope)
  restoreLearned(state, loop)
  for (const [id, digest] of lostCalls) state.lostCalls.set(id, digest)
  if (leader !== undefined) state.leader = leader
}

const MOST_LOST = 10_000

const STATES = new WeakMap<Scope, AgentState>()

/** The state of a scope, created on first use. */
export function stateOf(scope: Scope): AgentState {
  const known = STATES.get(scope)
  if (known !== undefined) return known
  const state: AgentState = {
    ...createLoopState(scope),
    shownPath: shownPath(scope.path),
    wrapsUp: null,
    awaitsResults: false,
    lostCalls: createAgingMap(MOST_LOST),
    unanswered: createUnansweredRequests(),
    leader: undefined,
  }
  STATES.set(scope, state)
  return state
}

/**
 * From its first request with tools, a scope belongs to an agent, which ends with a closing call. A shared budget has
 * none: each of its conversations is a scope below it.
 */
export function expectClosing(state: AgentState, isToldApart: boolean): void {
  if (state.wrapsUp !== null) return
  state.wrapsUp = edgeOf(state.scope).runsAgent && edgeOf(state.scope).expectWrapUp({ runsElsewhere: isToldApart })
}
