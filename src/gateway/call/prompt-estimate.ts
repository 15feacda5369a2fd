import { hash } from 'node:crypto'
import { createAgingMap } from '../../core/index.ts'
import { estimateInput } from '../../pricing/index.ts'
import type { PromptPart, WireRequest } from '../dialects/dialect.ts'
import type { TokenMark, TokenMarks } from './token-marks.ts'

/** What the input of a request will take, and what is needed to know it better next time. */
export interface PromptEstimate {
  readonly inputTokens: number
  /** Stands for the model and the whole prompt. */
  readonly digest: string
  readonly parts: number
}

// Where nothing is held to the estimate, and text was not looked at.
const BYTES_PER_TOKEN = 3
// As for the adapters: a document that the provider fetches may have as many pages as it takes.
const BYTES_PER_PAGE = 50_000
const PAGES_OF_UNKNOWN = 100
const BYTES_PER_TOKEN_OF_SOUND = 128

/**
 * The tokens of a prompt: exact as far as the provider has counted it before, estimated for what was added since.
 * `isLimited`: whether a limit is held to it; without one a rough figure will do.
 */
export function estimatePrompt(request: WireRequest, marks: TokenMarks, isLimited: boolean): PromptEstimate {
  const { parts } = request.prompt()
  const { digest, mark } = knownPrefix(request, marks)
  if (!isLimited && mark === null) {
    return { inputTokens: Math.ceil(request.body.length / BYTES_PER_TOKEN), digest, parts: parts.length }
  }
  let inputTokens = mark?.promptTokens ?? 0
  for (let index = mark?.parts ?? 0; index < parts.length; index++) {
    const part = parts[index]!
    const { heldAnswerId } = part
    const held = heldAnswerId === undefined ? null : marks.answer(heldAnswerId)
    const tokens = held ?? tokensOf(part, request.model)
    // The answer to what was counted is counted too, but only the client says that this is the answer.
    const isAnswer = index === mark?.parts && part.kind === 'assistant'
    inputTokens += isAnswer ? Math.max(tokens, mark!.answerTokens) : tokens
  }
  return { inputTokens, digest, parts: parts.length }
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

// System prompts and tools come again in every request.
const MOST_REMEMBERED = 4_096
const remembered = createAgingMap<number>(MOST_REMEMBERED)

function tokensOf(part: PromptPart, model: string): number {
  const media = mediaIn(part)
  const key = `${media.hasUnknownSize ? model : /claude|anthropic/i.test(model)} ${part.digest}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const tokens = estimateInput({ ...media, addedText: part.text(), addedParts: 1, model })
  remembered.set(key, tokens)
  return tokens
}

interface MediaSize {
  readonly images: number
  readonly documentPages: number
  readonly lastExactTokens: number
  readonly hasUnknownSize: boolean
}

function mediaIn({ media }: PromptPart): MediaSize {
  let images = 0
  let documentPages = 0
  let otherTokens = 0
  let hasUnknownSize = false
  for (const { kind, bytes } of media) {
    if (kind === 'image') images++
    else if (kind === 'document') documentPages += bytes === null ? PAGES_OF_UNKNOWN : pagesOf(bytes)
    else if (bytes === null) hasUnknownSize = true
    else if (kind === 'audio') otherTokens += Math.ceil(bytes / BYTES_PER_TOKEN_OF_SOUND)
    // No tokenizer makes more of a text than it has bytes.
    else if (kind === 'text') otherTokens += bytes
    else documentPages += pagesOf(bytes)
  }
  return { images, documentPages, lastExactTokens: otherTokens, hasUnknownSize }
}

function pagesOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / BYTES_PER_PAGE))
}
