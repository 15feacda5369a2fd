import type { PromptMessage } from '../model/language-model.ts'
import { type FileKind, fileKindOf } from './file-kind.ts'

/** What a part of a prompt takes, as the estimate wants to know it. */
export interface PromptSize {
  readonly text: string
  /** Messages and parts of them: each costs a few tokens that are in no text. */
  readonly parts: number
  readonly images: number
  readonly documentPages: number
  /** Of media that no provider publishes a maximum for. */
  readonly otherTokens: number
  /** Whether some media is only named by its address, and no provider publishes a maximum for its kind. */
  readonly hasUnknownSize: boolean
}

const NOTHING: PromptSize = {
  text: '',
  parts: 0,
  images: 0,
  documentPages: 0,
  otherTokens: 0,
  hasUnknownSize: false,
}

// A document that is named by its address only may be as long as a provider takes.
const PAGES_OF_UNKNOWN = 100
const BYTES_PER_PAGE = 50_000
// Sound at 32 tokens a second and 8 kB a second, which is dense for either.
const BYTES_PER_TOKEN_OF_SOUND = 128

/** The size of some messages of a prompt. */
export function promptSize(messages: readonly PromptMessage[]): PromptSize {
  const sizes = messages.flatMap((message) => [
    { ...NOTHING, parts: 1 },
    ...(typeof message.content === 'string' ? [textSize(message.content)] : message.content.map(partSize)),
  ])
  return total(sizes, '\n')
}

function total(sizes: readonly PromptSize[], separator: string): PromptSize {
  const sum = (field: 'parts' | 'images' | 'documentPages' | 'otherTokens') =>
    sizes.reduce((amount, size) => amount + size[field], 0)
  return {
    text: sizes.map(({ text }) => text).join(separator),
    parts: sum('parts'),
    images: sum('images'),
    documentPages: sum('documentPages'),
    otherTokens: sum('otherTokens'),
    hasUnknownSize: sizes.some(({ hasUnknownSize }) => hasUnknownSize),
  }
}

function textSize(text: string): PromptSize {
  return { ...NOTHING, text, parts: 1 }
}

function partSize(part: object): PromptSize {
  const { type, text, toolName = '', input, output } = part as Record<string, unknown>
  if (typeof text === 'string') return textSize(text)
  if (type === 'tool-call') return textSize(`${toolName} ${asText(input)}`)
  if (type === 'tool-result') return outputSize(toolName as string, output as { type?: string; value?: unknown })
  const kind = fileKindOf(part)
  return kind === null ? textSize(asText(part)) : fileSize(part, kind)
}

function outputSize(toolName: string, { type, value }: { type?: string; value?: unknown }): PromptSize {
  if (type !== 'content' || !Array.isArray(value)) return textSize(`${toolName} ${asText(value)}`)
  return total([textSize(toolName), ...value.map(partSize)], ' ')
}

function fileSize(part: object, kind: FileKind): PromptSize {
  const { data, url } = part as Record<string, unknown>
  const { text, bytes } = contentOf(data ?? url)
  const one = { ...NOTHING, parts: 1 }
  if (kind === 'image') return { ...one, images: 1 }
  if (kind === 'text' || kind === 'recording') {
    if (text !== null) return { ...one, text }
    if (bytes === null) return { ...one, hasUnknownSize: true }
    return { ...one, otherTokens: kind === 'text' ? bytes : Math.ceil(bytes / BYTES_PER_TOKEN_OF_SOUND) }
  }
  const pages = bytes === null ? PAGES_OF_UNKNOWN : Math.ceil(bytes / BYTES_PER_PAGE)
  return { ...one, documentPages: Math.max(1, pages) }
}

/** `bytes` is `null` for what is only named by its address. */
function contentOf(data: unknown): { readonly text: string | null; readonly bytes: number | null } {
  if (data instanceof Uint8Array) return { text: null, bytes: data.byteLength }
  if (typeof data === 'string') {
    return /^https?:/.test(data) ? { text: null, bytes: null } : { text: null, bytes: Math.ceil(data.length * 0.75) }
  }
  if (typeof data !== 'object' || data === null || data instanceof URL) return { text: null, bytes: null }
  const { text, data: inner } = data as Record<string, unknown>
  return typeof text === 'string' ? { text, bytes: 0 } : contentOf(inner)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
