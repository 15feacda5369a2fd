import { type AgingMap, createAgingMap } from '../core/index.ts'
import type { ListedTools } from '../governor/edge.ts'
import type { Scope } from '../governor/index.ts'
import { createLearnedSizes, type LearnedSizes } from './prompt/learned-sizes.ts'
import { createTokenMarks, type TokenMarks } from './prompt/token-marks.ts'

/** What is remembered of the conversations of one scope. */
export interface LoopState {
  readonly scope: Scope
  /** The line in the system prompt, as it was at the first request: it never changes afterwards. */
  promptLine: string | null
  /** The hint under each tool result that was the last of its batch; `null` for none. Shown again in each request. */
  readonly hints: AgingMap<string | null>
  /** What the prompt and the answer of former calls took, by the provider's own count. */
  readonly marks: TokenMarks
  /** What estimates of its prompts were worth. */
  readonly sizes: LearnedSizes
  /** What its conversations list of the tools that their provider runs, by the list and, for many, the first message. */
  readonly listedTools: AgingMap<ConversationTools>
  /** The upstream has refused a request that forbade a tool by `allowed_tools`: none is forbidden so from then on. */
  refusesAllowedTools: boolean
}

/** What a conversation lists of the tools that its provider runs, with what its newest request has been planned with. */
export interface ConversationTools {
  readonly listed: ListedTools
  /** As the requests before that one had it. If that one goes out as the closing call, no tool may be used anyway. */
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
