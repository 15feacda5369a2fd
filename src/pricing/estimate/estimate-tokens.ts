import { estimateTokenCount } from 'tokenx'
import { runThrough, type Steps } from '../../core/interruptible-work.ts'
import { assertChoice } from '../call/assert-choice.ts'
import { InvalidCallError } from '../call/invalid-call-error.ts'
import { tokenFloor } from './token-floor.ts'
import { utf8Length } from './utf8-length.ts'

/** `tight`: an estimate that is almost always too high. `strict`: the number of bytes, which no tokenizer exceeds. */
export type EstimateMode = 'tight' | 'strict'

const ESTIMATE_MODES = ['tight', 'strict'] as const satisfies readonly EstimateMode[]

// Anthropic's tokenizer since Claude Opus 4.7 produces about 1.35 times as many tokens as the one before, so text needs
// more room. The measured figures are in docs/explanation/worst-case.md.
const CLAUDE_MARGINS = { words: 1.75, floor: 1.25 }
const OTHER_MARGINS = { words: 1.3, floor: 1 }
// Words are counted only up to here: 200,000 characters take about 20 ms, and no input may cost more.
const MOST_CHARACTERS = 200_000
const BYTES_PER_TOKEN_PAST_THAT = 2.5

/**
 * Estimates the tokens of `text`. `model` adapts the margin to its tokenizer; without it the estimate is safe for all.
 * Takes linear time, beyond 200,000 characters little more than counting bytes. Throws `InvalidCallError` for a `text`
 * that isn't a string, or an unknown mode.
 */
export function estimateTokens(text: string, mode: EstimateMode = 'tight', model?: string): number {
  return runThrough(estimateTokensInSteps(text, mode, model))
}

/** The same in steps, for text that may be megabytes long. */
export function* estimateTokensInSteps(text: string, mode: EstimateMode = 'tight', model?: string): Steps<number> {
  assertChoice({ place: 'Token estimate', field: 'mode', value: mode, words: ESTIMATE_MODES })
  if (typeof text !== 'string') {
    const validForm = 'estimateTokens("a text", "tight")'
    throw new InvalidCallError({
      place: 'Token estimate',
      field: 'text',
      value: text,
      reason: 'it must be a string',
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

// A cut between two words of one line doesn't change how either is counted.
const BETWEEN_WORDS = /[A-Za-z0-9] (?=[A-Za-z0-9])/g
const PIECE_CHARACTERS = 8_192

/** Same result as counting the whole text. Text without a space between two words is counted whole. */
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
