import type { PromptMessage } from '../model/language-model.ts'

/** What a part of a prompt takes, as the estimate wants to know it. */
export interface PromptSize {
  readonly text: string
  /** Messages and parts of them: each costs a few tokens that are in no text. */
  readonly parts: number
  readonly images: number
  readonly documentPages: number
  /** Of media that no provider publishes a maximum for. */
  readonly otherTokens: number
}

const NOTHING: PromptSize = { text: '', parts: 0, images: 0, documentPages: 0, otherTokens: 0 }

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
  return {
    text: sizes.map(({ text }) => text).join('\n'),
    parts: sum(sizes, 'parts'),
    images: sum(sizes, 'images'),
    documentPages: sum(sizes, 'documentPages'),
    otherTokens: sum(sizes, 'otherTokens'),
  }
}

function sum(sizes: readonly PromptSize[], field: Exclude<keyof PromptSize, 'text'>): number {
  return sizes.reduce((total, size) => total + size[field], 0)
}

function textSize(text: string): PromptSize {
  return { ...NOTHING, text, parts: 1 }
}

// Parts come in the words of two versions of the AI SDK, and those of providers: read by what they have.
function partSize(part: object): PromptSize {
  const { type, text, toolName = '', input, output } = part as Record<string, unknown>
  if (typeof text === 'string') return textSize(text)
  if (type === 'tool-call') return textSize(`${toolName} ${asText(input)}`)
  if (type === 'tool-result') return outputSize(toolName as string, output as { type?: string; value?: unknown })
  if ('data' in part || 'mediaType' in part || 'url' in part) return fileSize(part)
  return textSize(asText(part))
}

function outputSize(toolName: string, { type, value }: { type?: string; value?: unknown }): PromptSize {
  if (type !== 'content' || !Array.isArray(value)) return textSize(`${toolName} ${asText(value)}`)
  const sizes = value.map(partSize)
  return {
    text: [toolName, ...sizes.map(({ text }) => text)].join(' '),
    parts: sum(sizes, 'parts') + 1,
    images: sum(sizes, 'images'),
    documentPages: sum(sizes, 'documentPages'),
    otherTokens: sum(sizes, 'otherTokens'),
  }
}

function fileSize(part: object): PromptSize {
  const { type = '', mediaType = '', data, url } = part as Record<string, unknown>
  const held = contentOf(data ?? url)
  const kind = `${mediaType} ${type}`
  if (kind.includes('image')) return { ...NOTHING, parts: 1, images: 1 }
  if (kind.includes('text/')) return { ...NOTHING, parts: 1, text: held.text ?? '', otherTokens: held.bytes ?? 0 }
  if (/audio|video/.test(kind)) {
    return { ...NOTHING, parts: 1, otherTokens: Math.ceil((held.bytes ?? 0) / BYTES_PER_TOKEN_OF_SOUND) }
  }
  const pages = held.bytes === null ? PAGES_OF_UNKNOWN : Math.ceil(held.bytes / BYTES_PER_PAGE)
  return { ...NOTHING, parts: 1, documentPages: Math.max(1, pages) }
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
