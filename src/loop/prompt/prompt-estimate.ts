import type { Steps } from '../../core/index.ts'
import { editedTokens } from '../../pricing/estimate/edited-tokens.ts'
import { learnedTokens, type SizeRatios } from '../../pricing/estimate/learned-tokens.ts'
import {
  addMediaCounts,
  type EstimateMode,
  estimateInputInSteps,
  type MediaCounts,
  promptWithMedia,
} from '../../pricing/index.ts'
import { inTurns } from '../../system/index.ts'
import type { PromptPart, RequestView } from '../request-view.ts'
import { knownPrefix } from './known-prefix.ts'
import { BYTES_PER_PART, floorOf, NO_MEDIA, PIECE_BYTES, sizeOf } from './part-size.ts'
import { createTokenMarks, type TokenMark, type TokenMarks } from './token-marks.ts'

/** What the input of a request will take, and what is needed to improve the next estimate. */
export interface PromptEstimate {
  readonly inputTokens: number
  /** The part that the provider has counted before, in a prompt that this one starts with. */
  readonly countedTokens: number
  /** The part that may be audio, images or video; `null` for none. */
  readonly media: MediaCounts | null
  /** Identifies the model and the whole prompt. */
  readonly digest: string
  readonly parts: number
  /** The whole prompt, estimated only from its text; `null` if it is not all text, or was not read. */
  readonly estimatedTokens: number | null
}

// If no limit depends on the estimate, and the text was not read.
const BYTES_PER_TOKEN = 3

// A prompt of up to this many pieces is estimated in one step: a few tens of kilobytes, about a millisecond.
const PIECES_AT_ONCE = 4

interface EstimateOptions {
  /** Whether a limit depends on it. Otherwise a rough figure is enough. */
  readonly isLimited: boolean
  /** How accurate estimates of such prompts were, for a prompt without any count. */
  readonly ratios?: () => SizeRatios
  readonly mode?: EstimateMode
}

/**
 * The tokens of a prompt: exact as far as the provider has counted it before, estimated for what was added since.
 * Computed in steps, so that a prompt of several megabytes does not block other requests.
 */
export function estimatePrompt(
  request: RequestView,
  marks: TokenMarks,
  options: EstimateOptions,
): Promise<PromptEstimate> {
  return inTurns(estimateInSteps(request, marks, options), PIECES_AT_ONCE)
}

function* estimateInSteps(
  request: RequestView,
  marks: TokenMarks,
  { isLimited, ratios, mode = 'tight' }: EstimateOptions,
): Steps<PromptEstimate> {
  const { model } = request
  const prompt = request.prompt()
  const { parts, hasMedia } = prompt
  const { digest, mark } = yield* knownPrefix(model, prompt, marks)
  const known = { digest, parts: parts.length }
  if (!isLimited && mark === null) {
    const media = hasMedia ? yield* allMedia(parts, model, mode) : null
    const inputTokens = Math.ceil(parts.reduce((sum, { bytes }) => sum + bytes, 0) / BYTES_PER_TOKEN)
    return { ...known, inputTokens, countedTokens: 0, media, estimatedTokens: null }
  }
  let tokens = mark?.promptTokens ?? 0
  let estimated = mark === null ? 0 : (mark.estimatedTokens ?? null)
  let added = NO_MEDIA
  let bytes = 0
  for (let index = mark?.parts ?? 0; index < parts.length; index++) {
    const part = parts[index]!
    bytes += part.bytes + BYTES_PER_PART
    if (bytes > PIECE_BYTES) {
      bytes = 0
      yield
    }
    const { heldAnswerId } = part
    const held = heldAnswerId === undefined ? null : marks.answer(heldAnswerId)
    const size = held === null ? yield* sizeOf(part, model, mode) : { tokens: held, media: NO_MEDIA }
    const isAnswer = index === mark?.parts && part.kind === 'assistant'
    tokens += isAnswer ? yield* answerSize(part, size.tokens, mark!, { model, mode }) : size.tokens
    if (heldAnswerId !== undefined) estimated = null
    else if (estimated !== null) estimated += size.tokens
    if (size.media !== NO_MEDIA) added = addMediaCounts(added, size.media)
  }
  const media = hasMedia ? yield* allMedia(parts, model, mode) : null
  const estimatedTokens = media === null ? estimated : null
  const learned = mark === null && estimatedTokens !== null ? (ratios?.() ?? []) : []
  if (learned.length > 0) tokens = learnedTokens({ estimated: tokens, floor: yield* floorOf(parts) }, learned)
  const inputTokens = added === NO_MEDIA ? tokens : promptWithMedia(tokens, added, model)
  return { ...known, inputTokens, countedTokens: mark?.promptTokens ?? 0, media, estimatedTokens }
}

/**
 * A count includes the answer, but only the client says that this message is the answer. Text that matches the model's
 * word for word takes no more than the answer took; the rest is estimated on top.
 */
function* answerSize(
  part: PromptPart,
  estimated: number,
  mark: TokenMark,
  { model, mode }: { readonly model: string; readonly mode: EstimateMode },
): Steps<number> {
  const { answerTokens, answerText = '' } = mark
  const careful = Math.max(estimated, answerTokens)
  const text = part.text()
  const at = answerText === '' ? -1 : text.indexOf(answerText)
  if (at < 0) return careful
  const rest = text.slice(0, at) + text.slice(at + answerText.length)
  const added = yield* estimateInputInSteps({ addedText: rest, addedParts: part.pieces ?? 1, model }, mode)
  return Math.min(careful, answerTokens + added)
}

/**
 * Estimates an edited version of `request`, whose size is known better: the same prompt with something added or left
 * out. An estimate errs equally on both, so the known size shows by how much.
 */
export async function estimateEdited(
  edited: RequestView,
  request: RequestView,
  { inputTokens }: Pick<PromptEstimate, 'inputTokens'>,
): Promise<PromptEstimate> {
  const unknown = createTokenMarks()
  const whole = await estimatePrompt(edited, unknown, { isLimited: true })
  const original = await estimatePrompt(request, unknown, { isLimited: true })
  const estimates = { original: original.inputTokens, edited: whole.inputTokens }
  return { ...whole, inputTokens: editedTokens(estimates, inputTokens) }
}

/** Includes what was counted before: the count does not say how much of it was media. */
function* allMedia(parts: readonly PromptPart[], model: string, mode: EstimateMode): Steps<MediaCounts | null> {
  let all: Required<MediaCounts> | null = null
  for (const part of parts) {
    if (part.media.length === 0) continue
    const { media } = yield* sizeOf(part, model, mode)
    all = addMediaCounts(all ?? NO_MEDIA, media)
    yield
  }
  return all
}
