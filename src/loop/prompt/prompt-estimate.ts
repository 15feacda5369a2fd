import { hash } from 'node:crypto'
import { createAgingMap, type Steps } from '../../core/index.ts'
import { mediaSize } from '../../governor/edge.ts'
import { editedTokens } from '../../pricing/estimate/edited-tokens.ts'
import { learnedTokens, type SizeRatios } from '../../pricing/estimate/learned-tokens.ts'
import { tokenFloor } from '../../pricing/estimate/token-floor.ts'
import {
  addMediaCounts,
  type EstimateMode,
  estimateInputInSteps,
  type MediaCounts,
  mediaCounts,
  promptWithMedia,
  toolPromptTokens,
} from '../../pricing/index.ts'
import { inTurns } from '../../system/index.ts'
import type { PromptPart, RequestView } from '../request-view.ts'
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
// Processed in one step, about a millisecond: a part takes some microseconds, and so do a few kilobytes.
const PIECE_BYTES = 65_536
const BYTES_PER_PART = 512

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
  const { parts } = request.prompt()
  const { digest, mark } = yield* knownPrefix(request, marks)
  const known = { digest, parts: parts.length }
  if (!isLimited && mark === null) {
    const media = parts.some((part) => part.media.length > 0) ? yield* allMedia(parts, model, mode) : null
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
  const media = yield* allMedia(parts, model, mode)
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

const floors = createAgingMap<number>(4_096)

/** The minimum that a careful estimate of a prompt may give. */
function* floorOf(parts: readonly PromptPart[]): Steps<number> {
  let floor = 0
  for (const part of parts) {
    let own = floors.get(part.digest)
    if (own === undefined) {
      own = yield* tokenFloor(part.text())
      floors.set(part.digest, own)
    }
    floor += own
  }
  return floor
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

/** The digest of the whole prompt, and the longest counted prefix. */
function* knownPrefix(request: RequestView, marks: TokenMarks): Steps<{ digest: string; mark: TokenMark | null }> {
  const { parts, variant } = request.prompt()
  const leadingDigests: string[] = []
  let digest = digestOf(`${request.model}${variant}`)
  let index = 0
  for (; index < parts.length && parts[index]!.chained === undefined; index++) {
    digest = digestOf(`${digest}\n${parts[index]!.digest}`)
    leadingDigests.push(digest)
  }
  const leading = digest
  for (let last = parts.length - 1; last >= index; last--) {
    const { chained } = parts[last]!
    if (chained?.leading !== leading) continue
    digest = chained.digest
    index = last + 1
  }
  let bytes = 0
  for (; index < parts.length; index++) {
    const part = parts[index]!
    digest = digestOf(`${digest}\n${part.digest}`)
    part.chained = { leading, digest }
    bytes += part.bytes + BYTES_PER_PART
    if (bytes <= PIECE_BYTES) continue
    bytes = 0
    yield
  }
  let mark: TokenMark | null = null
  for (const [counted, each] of marks.all()) {
    const { parts: length } = each
    if (length > parts.length || length <= (mark?.parts ?? 0)) continue
    if (counted === (leadingDigests[length - 1] ?? parts[length - 1]!.chained!.digest)) mark = each
  }
  return { digest, mark }
}

// Shorter texts are used directly.
const LONGEST_UNDIGESTED = 512

function digestOf(text: string): string {
  return text.length <= LONGEST_UNDIGESTED ? text : hash('sha256', text, 'base64')
}

/** The size of a part: its text, and separately its media. */
interface PartSize {
  readonly tokens: number
  readonly media: Required<MediaCounts>
}

const NO_MEDIA: Required<MediaCounts> = { image: 0, audio: 0, video: 0, other: 0 }

// System prompts and tools are repeated in every request.
const MOST_REMEMBERED = 4_096
const remembered = createAgingMap<PartSize>(MOST_REMEMBERED)

function* sizeOf(part: PromptPart, model: string, mode: EstimateMode): Steps<PartSize> {
  const hasMedia = part.media.length > 0
  const key = `${mode} ${hasMedia ? model : /claude|anthropic/i.test(model)} ${part.digest}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const hidden = part.tools === undefined ? 0 : toolPromptTokens(model, part.tools)
  const tokens =
    (yield* estimateInputInSteps({ addedText: part.text(), addedParts: part.pieces ?? 1, model }, mode)) + hidden
  const size = { tokens, media: hasMedia ? mediaCounts(mediaSize(part.media), model) : NO_MEDIA }
  remembered.set(key, size)
  return size
}
