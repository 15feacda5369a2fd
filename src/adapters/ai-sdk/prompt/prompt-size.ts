import type { MediaFile } from '../../../governor/edge.ts'
import type { PromptMessage } from '../model/language-model.ts'
import { type FileKind, fileKindOf } from './file-kind.ts'

/** What a part of a prompt is made of, as the estimate wants to know it. */
export interface PromptSize {
  readonly text: string
  /** Messages and parts of them: each costs a few tokens that are in no text. */
  readonly parts: number
  readonly files: readonly MediaFile[]
}

const NOTHING: PromptSize = { text: '', parts: 0, files: [] }

/** The size of some messages of a prompt. */
export function promptSize(messages: readonly PromptMessage[]): PromptSize {
  const sizes = messages.flatMap((message) => [
    { ...NOTHING, parts: 1 },
    ...(typeof message.content === 'string' ? [textSize(message.content)] : message.content.map(partSize)),
  ])
  return total(sizes, '\n')
}

/** The files of some messages, those in tool results too. */
export function filesIn(messages: readonly PromptMessage[]): readonly MediaFile[] {
  return messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content.flatMap(filesOf)))
}

function filesOf(part: object): readonly MediaFile[] {
  const { type, text, output } = part as { readonly type?: unknown; text?: unknown; output?: Output }
  if (typeof text === 'string' || type === 'tool-call') return []
  if (type === 'tool-result') return hasParts(output) ? output.value.flatMap(filesOf) : []
  const kind = fileKindOf(part)
  return kind === null ? [] : fileSize(part, kind).files
}

function total(sizes: readonly PromptSize[], separator: string): PromptSize {
  return {
    text: sizes.map(({ text }) => text).join(separator),
    parts: sizes.reduce((sum, { parts }) => sum + parts, 0),
    files: sizes.flatMap(({ files }) => files),
  }
}

function textSize(text: string): PromptSize {
  return { ...NOTHING, text, parts: 1 }
}

function partSize(part: object): PromptSize {
  const { type, text, toolName = '', input, output } = part as Record<string, unknown>
  if (typeof text === 'string') return textSize(text)
  if (type === 'tool-call') return textSize(`${toolName} ${asText(input)}`)
  if (type === 'tool-result') return outputSize(toolName as string, output as Output)
  const kind = fileKindOf(part)
  return kind === null ? textSize(asText(part)) : fileSize(part, kind)
}

interface Output {
  readonly type?: string
  readonly value?: unknown
}

function hasParts(output: Output | undefined): output is { readonly value: readonly object[] } {
  return output?.type === 'content' && Array.isArray(output.value)
}

function outputSize(toolName: string, output: Output): PromptSize {
  if (!hasParts(output)) return textSize(`${toolName} ${asText(output.value)}`)
  return total([textSize(toolName), ...output.value.map(partSize)], ' ')
}

function fileSize(part: object, kind: FileKind): PromptSize {
  const { data, url } = part as Record<string, unknown>
  const { text, ...file } = contentOf(data ?? url)
  const one = { ...NOTHING, parts: 1 }
  return text !== null && kind !== 'image' ? { ...one, text } : { ...one, files: [{ kind, ...file }] }
}

interface FileContent extends Pick<MediaFile, 'bytes' | 'read'> {
  readonly text: string | null
}

const UNKNOWN: FileContent = { text: null, bytes: null }

/** `bytes` is `null` for what is only named by its address. */
function contentOf(data: unknown): FileContent {
  if (data instanceof Uint8Array) {
    const read = () => Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1')
    return { text: null, bytes: data.byteLength, read }
  }
  if (typeof data === 'string') {
    if (/^https?:/.test(data)) return UNKNOWN
    const encoded = data.startsWith('data:') ? data.slice(data.indexOf(',') + 1) : data
    const read = () => Buffer.from(encoded, 'base64').toString('latin1')
    return { text: null, bytes: Math.floor(encoded.length * 0.75), read }
  }
  if (typeof data !== 'object' || data === null || data instanceof URL) return UNKNOWN
  const { text, data: inner } = data as Record<string, unknown>
  return typeof text === 'string' ? { text, bytes: 0 } : contentOf(inner)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
