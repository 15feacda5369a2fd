import { hash } from 'node:crypto'
import { createAgingMap } from '../../core/index.ts'
import { mediaSize } from '../../governor/index.ts'
import {
  addMediaCounts,
  estimateInput,
  type MediaCounts,
  mediaCounts,
  promptWithMedia,
  toolPromptTokens,
} from '../../pricing/index.ts'
import type { PromptPart, WireRequest } from '../dialects/dialect.ts'
import type { TokenMark, TokenMarks } from './token-marks.ts'

/** What the input of a request will take, and what is needed to know it better next time. */
export interface PromptEstimate {
  readonly inputTokens: number
  /** What of it may be sound, images or film; `null` for none. */
  readonly media: MediaCounts | null
  /** Stands for the model and the whole prompt. */
  readonly digest: string
  readonly parts: number
}

// Where nothing is held to the estimate, and text was not looked at.
const BYTES_PER_TOKEN = 3

/**
 * The tokens of a prompt: exact as far as the provider has counted it before, estimated for what was added since.
 * `isLimited`: whether a limit is held to it; without one a rough figure will do.
 */
export function estimatePrompt(request: WireRequest, marks: TokenMarks, isLimited: boolean): PromptEstimate {
  const { model, body } = request
  const { parts } = request.prompt()
  const { digest, mark } = knownPrefix(request, marks)
  const known = { digest, parts: parts.length }
  if (!isLimited && mark === null) {
    const media = parts.some((part) => part.media.length > 0) ? allMedia(parts, model) : null
    return { ...known, inputTokens: Math.ceil(body.length / BYTES_PER_TOKEN), media }
  }
  let tokens = mark?.promptTokens ?? 0
  let added = NO_MEDIA
  for (let index = mark?.parts ?? 0; index < parts.length; index++) {
    const part = parts[index]!
    const { heldAnswerId } = part
    const held = heldAnswerId === undefined ? null : marks.answer(heldAnswerId)
    const size = held === null ? sizeOf(part, model) : { tokens: held, media: NO_MEDIA }
    // The answer to what was counted is counted too, but only the client says that this is the answer.
    const isAnswer = index === mark?.parts && part.kind === 'assistant'
    tokens += isAnswer ? Math.max(size.tokens, mark!.answerTokens) : size.tokens
    added = addMediaCounts(added, size.media)
  }
  return { ...known, inputTokens: promptWithMedia(tokens, added, model), media: allMedia(parts, model) }
}

/** Also of what was counted before: the count does not say which of it was media. */
function allMedia(parts: readonly PromptPart[], model: string): MediaCounts | null {
  const withMedia = parts.filter(({ media }) => media.length > 0)
  if (withMedia.length === 0) return null
  return withMedia.map((part) => sizeOf(part, model).media).reduce(addMediaCounts, NO_MEDIA)
}

function knownPrefix(request: WireRequest, marks: TokenMarks): { digest: string; mark: TokenMark | null } {
  const { parts, variant } = request.prompt()
  const lengths = marks.lengths()
  let known = `${request.model}${variant}`
  let mark: TokenMark | null = null
  for (let index = 0; index < parts.length; index++) {
    known += `\n${parts[index]!.digest}`
    if (index + 1 < parts.length && lengths.has(index + 1)) mark = marks.find(digestOf(known)) ?? mark
  }
  const digest = digestOf(known)
  return { digest, mark: marks.find(digest) ?? mark }
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

function sizeOf(part: PromptPart, model: string): PartSize {
  const hasMedia = part.media.length > 0
  const key = `${hasMedia ? model : /claude|anthropic/i.test(model)} ${part.digest}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const hidden = part.tools === undefined ? 0 : toolPromptTokens(model, part.tools)
  const tokens = estimateInput({ addedText: part.text(), addedParts: 1, model }) + hidden
  const size = { tokens, media: hasMedia ? mediaCounts(mediaSize(part.media), model) : NO_MEDIA }
  remembered.set(key, size)
  return size
}
