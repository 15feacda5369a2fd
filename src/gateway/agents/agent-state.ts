import { type AgingMap, createAgingMap } from '../../core/index.ts'
import { expectWrapUp, type ListedTools, runsAgent, type Scope } from '../../governor/index.ts'
import { createLearnedSizes, type LearnedSizes } from '../call/learned-sizes.ts'
import { createTokenMarks, type TokenMarks } from '../call/token-marks.ts'
import { shownPath } from '../http/answer-headers.ts'

/** What the gateway remembers of the conversations of one scope. */
export interface AgentState {
  readonly scope: Scope
  /** Its path, as answers show it. */
  readonly shownPath: string
  /** Whether the request after a limit goes out as the closing call; `null` before its first request with tools. */
  wrapsUp: boolean | null
  /** The line in the system prompt, as it was at the first request: it never changes afterwards. */
  promptLine: string | null
  /** The hint under each tool result that was the last of its batch; `null` for none. Shown again in each request. */
  readonly hints: AgingMap<string | null>
  readonly marks: TokenMarks
  /** What estimates of its prompts were worth. */
  readonly sizes: LearnedSizes
  /** What its conversations list of the tools that their provider runs, by the list and, for many, the first message. */
  readonly listedTools: AgingMap<ConversationTools>
  /** The upstream has refused a request that forbade a tool by `allowed_tools`: none is forbidden so from then on. */
  refusesAllowedTools: boolean
  /** Whether its last answer has called tools whose results have not come yet. */
  awaitsResults: boolean
  /** Tool calls that were counted and never reached their client, each with the prompt that it answered; `null`: it did, later. */
  readonly lostCalls: AgingMap<string | null>
}

/** What a conversation lists of the tools that its provider runs, with what its newest request has been planned with. */
export interface ConversationTools {
  readonly listed: ListedTools
  /** As the requests before that one had it. If that one goes out as the closing call, no tool may be used anyway. */
  readonly before: ListedTools
}

const MOST_HINTS = 10_000
const MOST_LOST = 10_000
const MOST_LISTS = 1_000

const STATES = new WeakMap<Scope, AgentState>()

/** The state of a scope, made when it is first asked for. */
export function stateOf(scope: Scope): AgentState {
  const known = STATES.get(scope)
  if (known !== undefined) return known
  const state: AgentState = {
    scope,
    shownPath: shownPath(scope.path),
    wrapsUp: null,
    promptLine: null,
    hints: createAgingMap(MOST_HINTS),
    marks: createTokenMarks(),
    sizes: createLearnedSizes(),
    listedTools: createAgingMap(MOST_LISTS),
    refusesAllowedTools: false,
    awaitsResults: false,
    lostCalls: createAgingMap(MOST_LOST),
  }
  STATES.set(scope, state)
  return state
}

/**
 * From its first request with tools on a scope is an agent's, which ends with a closing call. A budget of many has none:
 * each of its conversations is a scope below it.
 */
export function expectClosing(state: AgentState, isToldApart: boolean): void {
  if (state.wrapsUp !== null) return
  state.wrapsUp = runsAgent(state.scope) && expectWrapUp(state.scope, { runsElsewhere: isToldApart })
}
