import type { MediaFile } from '../../../governor/edge.ts'
import type { PromptMessage } from '../model/language-model.ts'
import { type FileKind, fileKindOf } from './file-kind.ts'

/** The contents of a prompt part that the estimate depends on. */
export interface PromptSize {
  readonly text: string
  /** Messages and their parts: each costs a few tokens beyond its text. */
  readonly parts: number
  readonly files: readonly MediaFile[]
}

/** The size of one message of a prompt. */
export function promptSize({ content }: PromptMessage): PromptSize {
  // The message itself counts, and has no text of its own.
  const size: GrowingSize = { texts: [''], parts: 1, files: [] }
  if (typeof content === 'string') addText(size, content)
  else for (const part of content) addPart(size, part)
  return { text: size.texts.join('\n'), parts: size.parts, files: size.files }
}

interface GrowingSize {
  readonly texts: string[]
  parts: number
  readonly files: MediaFile[]
}

/** The files of a message, including those in tool results. */
export function filesIn({ content }: PromptMessage): readonly MediaFile[] {
  const files: MediaFile[] = []
  if (typeof content !== 'string') for (const part of content) addFiles(files, part)
  return files
}

function addFiles(files: MediaFile[], part: object): void {
  const { type, text, output } = part as { readonly type?: unknown; text?: unknown; output?: Output }
  if (typeof text === 'string' || type === 'tool-call') return
  if (type === 'tool-result') {
    if (hasParts(output)) for (const inner of output.value) addFiles(files, inner)
    return
  }
  const kind = fileKindOf(part)
  if (kind !== null) files.push(...fileSize(part, kind).files)
}

function addText(size: GrowingSize, text: string): void {
  size.texts.push(text)
  size.parts++
}

function addPart(size: GrowingSize, part: object): void {
  const { type, text, toolName = '', input, output } = part as Record<string, unknown> & { readonly output?: Output }
  if (typeof text === 'string') addText(size, text)
  else if (type === 'tool-call') addText(size, `${toolName} ${asText(input)}`)
  else if (type !== 'tool-result') addFile(size, part)
  else if (!hasParts(output)) addText(size, `${toolName} ${asText(output?.value)}`)
  else {
    const result: GrowingSize = { texts: [`${toolName}`], parts: 1, files: size.files }
    for (const inner of output.value) addPart(result, inner)
    size.texts.push(result.texts.join(' '))
    size.parts += result.parts
  }
}

function addFile(size: GrowingSize, part: object): void {
  const kind = fileKindOf(part)
  const { text, files } = kind === null ? { text: asText(part), files: [] } : fileSize(part, kind)
  addText(size, text)
  size.files.push(...files)
}

interface Output {
  readonly type?: string
  readonly value?: unknown
}

function hasParts(output: Output | undefined): output is { readonly value: readonly object[] } {
  return output?.type === 'content' && Array.isArray(output.value)
}

/** The text of a text file, or the file itself. */
function fileSize(part: object, kind: FileKind): Pick<PromptSize, 'text' | 'files'> {
  const { data, url } = part as Record<string, unknown>
  const { text, ...file } = contentOf(data ?? url)
  return text !== null && kind !== 'image' ? { text, files: [] } : { text: '', files: [{ kind, ...file }] }
}

interface FileContent extends Pick<MediaFile, 'bytes' | 'read'> {
  readonly text: string | null
}

const UNKNOWN: FileContent = { text: null, bytes: null }

/** `bytes` is `null` for a file that is only given by URL. */
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
