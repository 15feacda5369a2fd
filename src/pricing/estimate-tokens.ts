import { estimateTokenCount } from 'tokenx'
import { runThrough, type Steps } from '../core/steps.ts'
import { assertWord } from './assert-word.ts'
import { InvalidCallError } from './invalid-call-error.ts'
import { tokenFloor } from './token-floor.ts'
import { utf8Length } from './utf8-length.ts'

/** `tight`: an estimate that errs high nearly always. `strict`: the bytes, which no tokenizer exceeds. */
export type EstimateMode = 'tight' | 'strict'

const ESTIMATE_MODES = ['tight', 'strict'] as const satisfies readonly EstimateMode[]

// Anthropic's tokenizer since Claude Opus 4.7 makes about 1.35 times the tokens of the one before, so that text needs
// more room there. docs/explanation/worst-case.md has the measured figures behind these.
const CLAUDE_MARGINS = { words: 1.75, floor: 1.25 }
const OTHER_MARGINS = { words: 1.3, floor: 1 }
// Words are counted up to here only: 200,000 characters take some 20 ms, and nobody may make us work for longer.
const MOST_CHARACTERS = 200_000
const BYTES_PER_TOKEN_PAST_THAT = 2.5

/**
 * The tokens of `text`. `model` lets the margin fit the tokenizer; without it the estimate is safe for all.
 * The work is linear, and past 200,000 characters little more than counting bytes. Throws `InvalidCallError` for what is
 * no text or no mode.
 */
export function estimateTokens(text: string, mode: EstimateMode = 'tight', model?: string): number {
  return runThrough(estimateTokensInSteps(text, mode, model))
}

/** The same in pieces, for a text that may be megabytes long. */
export function* estimateTokensInSteps(text: string, mode: EstimateMode = 'tight', model?: string): Steps<number> {
  assertWord({ place: 'Token estimate', field: 'mode', value: mode, words: ESTIMATE_MODES })
  if (typeof text !== 'string') {
    const validForm = 'estimateTokens("a text", "tight")'
    throw new InvalidCallError({
      place: 'Token estimate',
      field: 'text',
      value: text,
      reason: 'it must be a text',
      validForm,
    })
  }
  const bytes = yield* utf8Length(text)
  if (mode === 'strict') return bytes
  const margins = model === undefined || /claude|anthropic/i.test(model) ? CLAUDE_MARGINS : OTHER_MARGINS
  const head = text.slice(0, MOST_CHARACTERS)
  const words = yield* countWords(head)
  const headTokens = Math.max(words * margins.words, (yield* tokenFloor(head)) * margins.floor)
  const tail = text.slice(MOST_CHARACTERS)
  const tailBytes = yield* utf8Length(tail)
  const tailTokens = Math.max(tailBytes / BYTES_PER_TOKEN_PAST_THAT, (yield* tokenFloor(tail)) * margins.floor)
  return Math.min(bytes, Math.ceil(headTokens + tailTokens))
}

// Between two words of one line neither changes what the other is counted as.
const BETWEEN_WORDS = /[A-Za-z0-9] (?=[A-Za-z0-9])/g
const PIECE_CHARACTERS = 8_192

/** As if the text had been counted whole. One without a space between two words is. */
function* countWords(text: string): Steps<number> {
  let words = 0
  let start = 0
  while (text.length - start > PIECE_CHARACTERS) {
    BETWEEN_WORDS.lastIndex = start + PIECE_CHARACTERS
    if (!BETWEEN_WORDS.test(text)) break
    const end = BETWEEN_WORDS.lastIndex
    words += estimateTokenCount(text.slice(start, end))
    start = end
    yield
  }
  return words + estimateTokenCount(text.slice(start))
}
