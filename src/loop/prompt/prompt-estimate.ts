import { hash } from 'node:crypto'
import { createAgingMap, type Steps } from '../../core/index.ts'
import { mediaSize } from '../../governor/edge.ts'
import { editedTokens } from '../../pricing/edited-tokens.ts'
import {
  addMediaCounts,
  type EstimateMode,
  estimateInputInSteps,
  type MediaCounts,
  mediaCounts,
  promptWithMedia,
  toolPromptTokens,
} from '../../pricing/index.ts'
import { learnedTokens, type SizeRatios } from '../../pricing/learned-tokens.ts'
import { tokenFloor } from '../../pricing/token-floor.ts'
import { inTurns } from '../../system/index.ts'
import type { PromptPart, RequestView } from '../request-view.ts'
import { createTokenMarks, type TokenMark, type TokenMarks } from './token-marks.ts'

/** What the input of a request will take, and what is needed to know it better next time. */
export interface PromptEstimate {
  readonly inputTokens: number
  /** What of it the provider has counted before, in a prompt that this one begins with. */
  readonly countedTokens: number
  /** What of it may be sound, images or film; `null` for none. */
  readonly media: MediaCounts | null
  /** Stands for the model and the whole prompt. */
  readonly digest: string
  readonly parts: number
  /** The whole prompt, estimated from nothing but its text; `null` where not all of it is text, or it was not read. */
  readonly estimatedTokens: number | null
}

// Where nothing is held to the estimate, and text was not looked at.
const BYTES_PER_TOKEN = 3

// A prompt of so many pieces waits for nobody: a few tens of kilobytes, a millisecond or so.
const PIECES_AT_ONCE = 4
// Looked at in one piece, a millisecond or so: a part takes some microseconds, and so do some kilobytes.
const PIECE_BYTES = 65_536
const BYTES_PER_PART = 512

interface EstimateOptions {
  /** Whether a limit is held to it. Without one a rough figure will do. */
  readonly isLimited: boolean
  /** What estimates of such prompts were worth, for one of which nothing was counted. */
  readonly ratios?: SizeRatios
  readonly mode?: EstimateMode
}

/**
 * The tokens of a prompt: exact as far as the provider has counted it before, estimated for what was added since. Piece
 * by piece, so that a prompt of megabytes does not hold up what others ask.
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
  { isLimited, ratios = [], mode = 'tight' }: EstimateOptions,
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
    added = addMediaCounts(added, size.media)
  }
  const media = yield* allMedia(parts, model, mode)
  const estimatedTokens = media === null ? estimated : null
  if (mark === null && estimatedTokens !== null && ratios.length > 0) {
    tokens = learnedTokens({ estimated: tokens, floor: yield* floorOf(parts) }, ratios)
  }
  const inputTokens = promptWithMedia(tokens, added, model)
  return { ...known, inputTokens, countedTokens: mark?.promptTokens ?? 0, media, estimatedTokens }
}

/**
 * The answer to what was counted is counted too, but only the client says that this is the answer. What it says word for
 * word as the model did takes no more than the answer took; the rest is estimated beside that.
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
 * What a request takes of which `request`, known better, is the original: the same prompt with something added or left
 * out. An estimate errs alike on both, so that what is known of the one tells how far it errs on the other.
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

/** The least that a careful estimate may say of a prompt. */
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

/** Also of what was counted before: the count does not say which of it was media. */
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

function* knownPrefix(request: RequestView, marks: TokenMarks): Steps<{ digest: string; mark: TokenMark | null }> {
  const { parts, variant } = request.prompt()
  const lengths = [...marks.lengths()].toSorted((left, right) => left - right)
  let next = 0
  let digest = digestOf(`${request.model}${variant}`)
  let mark: TokenMark | null = null
  let bytes = 0
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    const isKnown = part.chained?.before === digest
    digest = isKnown ? part.chained!.after : chain(part, digest)
    if (lengths[next] === index + 1) {
      next++
      if (index + 1 < parts.length) mark = marks.find(digest) ?? mark
    }
    if (isKnown) continue
    bytes += part.bytes + BYTES_PER_PART
    if (bytes <= PIECE_BYTES) continue
    bytes = 0
    yield
  }
  return { digest, mark: marks.find(digest) ?? mark }
}

function chain(part: PromptPart, before: string): string {
  const after = digestOf(`${before}\n${part.digest}`)
  // A part that comes again with the next request keeps it.
  if (part.chained !== undefined) part.chained = { before, after }
  return after
}

// What is shorter stands for itself.
const LONGEST_UNDIGESTED = 512

function digestOf(text: string): string {
  return text.length <= LONGEST_UNDIGESTED ? text : hash('sha256', text, 'base64')
}

/** What a part takes: its text, and beside that its media. */
interface PartSize {
  readonly tokens: number
  readonly media: Required<MediaCounts>
}

const NO_MEDIA: Required<MediaCounts> = { image: 0, audio: 0, video: 0, other: 0 }

// System prompts and tools come again in every request.
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
