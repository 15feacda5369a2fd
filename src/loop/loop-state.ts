import { type AgingMap, createAgingMap } from '../core/index.ts'
import type { ListedTools } from '../governor/edge.ts'
import type { Scope } from '../governor/index.ts'
import { createLearnedSizes, type LearnedSizes } from './prompt/learned-sizes.ts'
import { createTokenMarks, type TokenMarks } from './prompt/token-marks.ts'

/** What is remembered of a scope's conversations. */
export interface LoopState {
  readonly scope: Scope
  /** The line in the system prompt, as in the first request: it never changes afterwards. */
  promptLine: string | null
  /** The hint on each tool result that was the last of its batch; `null` for none. Shown again in each request. */
  readonly hints: AgingMap<string | null>
  /** What the prompts and answers of earlier calls took, as counted by the provider. */
  readonly marks: TokenMarks
  /** How accurate the estimates of its prompts were. */
  readonly sizes: LearnedSizes
  /** The provider-run tools that its conversations list, by the list and, in a shared scope, the first message. */
  readonly listedTools: AgingMap<ConversationTools>
  /** The upstream refused a request that forbade a tool with `allowed_tools`: it is not used from then on. */
  refusesAllowedTools: boolean
}

/** The provider-run tools that a conversation lists, and the plan of its newest request. */
export interface ConversationTools {
  readonly listed: ListedTools
  /** As in the requests before that one. If that one is sent as the closing call, no tool may be used anyway. */
  readonly before: ListedTools
}

const MOST_HINTS = 10_000
const MOST_LISTS = 1_000

export function createLoopState(scope: Scope): LoopState {
  return {
    scope,
    promptLine: null,
    hints: createAgingMap(MOST_HINTS),
    marks: createTokenMarks(),
    sizes: createLearnedSizes(),
    listedTools: createAgingMap(MOST_LISTS),
    refusesAllowedTools: false,
  }
}
