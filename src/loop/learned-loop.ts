import type { ListedTools } from '../governor/edge.ts'
import type { SizeRatios } from '../pricing/estimate/learned-tokens.ts'
import type { ConversationTools, LoopState } from './loop-state.ts'
import type { TokenMark } from './prompt/token-marks.ts'

type Entry<Value> = readonly [id: string, value: Value]

/** What a loop has learned of its conversations, as JSON data. Has nothing of a prompt or an answer in it. */
export interface LearnedLoop {
  readonly promptLine: string | null
  readonly hints: readonly Entry<string | null>[]
  readonly marks: readonly Entry<TokenMark>[]
  readonly answers: readonly Entry<number>[]
  readonly sizes: readonly Entry<SizeRatios>[]
  readonly listedTools: readonly Entry<StoredTools>[]
  readonly refusesAllowedTools: boolean
}

/** JSON has no `undefined`, which here means that the request's own value stays. */
type Stored<Value> = Value | 'unchanged'

interface StoredList {
  readonly uses: readonly Stored<number | null>[]
  readonly contentTokens: readonly Stored<number>[]
  readonly resultTokens: number
}

interface StoredTools {
  readonly listed: StoredList
  readonly before: StoredList
}

// It is written with every request: the latest of each kind.
const MOST_HINTS = 2_000
const MOST_OTHERS = 32

/** What `state` has learned, for a process that continues its conversation. */
export function learnedFrom(state: LoopState): LearnedLoop {
  const { promptLine, hints, marks, sizes, listedTools, refusesAllowedTools } = state
  return {
    promptLine,
    hints: latest(hints.entries(), MOST_HINTS),
    marks: latest(marks.all(), MOST_OTHERS).map(([digest, { answerText: _, ...mark }]) => [digest, mark]),
    answers: latest(marks.allAnswers(), MOST_OTHERS),
    sizes: latest(sizes.entries(), MOST_OTHERS),
    listedTools: latest(listedTools.entries(), MOST_OTHERS).map(([id, { listed, before }]) => {
      return [id, { listed: storedList(listed), before: storedList(before) }]
    }),
    refusesAllowedTools,
  }
}

/** Continues with what another process has learned. */
export function restoreLearned(state: LoopState, learned: LearnedLoop): void {
  state.promptLine = learned.promptLine
  state.refusesAllowedTools = learned.refusesAllowedTools
  for (const [id, hint] of learned.hints) state.hints.set(id, hint)
  for (const [digest, mark] of learned.marks) state.marks.remember(digest, mark)
  for (const [answerId, tokens] of learned.answers) state.marks.rememberAnswer(answerId, tokens)
  for (const [kind, ratios] of learned.sizes) state.sizes.set(kind, ratios)
  for (const [id, { listed, before }] of learned.listedTools) {
    const tools: ConversationTools = { listed: listFrom(listed), before: listFrom(before) }
    state.listedTools.set(id, tools)
  }
}

function latest<Value>(entries: Iterable<Entry<Value>>, most: number): readonly Entry<Value>[] {
  return [...new Map(entries)].slice(-most)
}

function storedList({ uses, contentTokens, resultTokens }: ListedTools): StoredList {
  return {
    uses: uses.map((use) => (use === undefined ? 'unchanged' : use)),
    contentTokens: contentTokens.map((tokens) => tokens ?? 'unchanged'),
    resultTokens,
  }
}

function listFrom({ uses, contentTokens, resultTokens }: StoredList): ListedTools {
  return {
    uses: uses.map((use) => (use === 'unchanged' ? undefined : use)),
    contentTokens: contentTokens.map((tokens) => (tokens === 'unchanged' ? undefined : tokens)),
    resultTokens,
  }
}
