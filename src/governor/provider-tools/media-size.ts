import { inflateSync } from 'node:zlib'
import { isPdf, type MediaQuantities, pdfPages, recordingSeconds } from '../../pricing/index.ts'

/** A non-text part of a prompt, as an edge finds it. */
export interface MediaFile {
  readonly kind: 'image' | 'document' | 'text' | 'audio' | 'video' | 'other'
  /** `null`: the provider fetches it by URL or id, so its size is unknown here. */
  readonly bytes: number | null
  /** The file content, one character per byte. */
  read?(): string
}

// A document is read up to this bound; a recording is never read twice. A longer file counts as unknown.
const LONGEST_READ_BYTES = 32 * 1_048_576
const PLAIN_TEXT_WITHIN = 4_096

/**
 * The maximum size of a prompt's media, as far as the files show it: pages that can be counted, durations that are
 * written in the file. Anything else has no known size, and may fill the context window.
 */
export function mediaSize(files: readonly MediaFile[]): MediaQuantities {
  let images = 0
  let documentPages = 0
  let documentBytes = 0
  let audioSeconds = 0
  let videoSeconds = 0
  const unknown = new Set<'audio' | 'image' | 'video' | 'other'>()
  for (const file of files) {
    if (file.kind === 'image') images++
    else if (file.bytes === null || file.kind === 'other') unknown.add(unknownKind(file))
    // No tokenizer produces more tokens than a text has bytes.
    else if (file.kind === 'text') documentBytes += file.bytes
    else if (file.kind === 'document') {
      const { pages, bytes } = documentSize(file)
      if (pages === null) unknown.add('image')
      documentPages += pages ?? 0
      documentBytes += bytes
    } else {
      const seconds = secondsOf(file)
      if (seconds === null) unknown.add(file.kind)
      else if (file.kind === 'audio') audioSeconds += seconds
      else videoSeconds += seconds
    }
  }
  return { images, documentPages, documentBytes, audioSeconds, videoSeconds, unknown: [...unknown] }
}

function unknownKind({ kind }: MediaFile): 'audio' | 'image' | 'video' | 'other' {
  if (kind === 'audio' || kind === 'video') return kind
  return kind === 'document' || kind === 'text' ? 'image' : 'other'
}

/** A PDF has pages, a text its bytes; anything else (an archive, a spreadsheet) may unpack to any size. */
function documentSize(file: MediaFile): { readonly pages: number | null; readonly bytes: number } {
  const content = contentOf(file)
  if (content === null) return { pages: null, bytes: 0 }
  if (isPdf(content)) return { pages: pdfPages(content, inflate), bytes: 0 }
  return isPlainText(content) ? { pages: 0, bytes: content.length } : { pages: null, bytes: 0 }
}

function secondsOf(file: MediaFile): number | null {
  const content = contentOf(file)
  const seconds = content === null ? null : recordingSeconds(content)
  return seconds === null ? null : Math.ceil(seconds)
}

function contentOf({ bytes, read }: MediaFile): string | null {
  return read === undefined || bytes === null || bytes > LONGEST_READ_BYTES ? null : read()
}

/** Whether a file starts like text: packed data contains bytes that no text has. */
function isPlainText(content: string): boolean {
  for (let at = 0; at < Math.min(content.length, PLAIN_TEXT_WITHIN); at++) {
    const code = content.charCodeAt(at)
    if (code < 0x09 || (code > 0x0d && code < 0x20)) return false
  }
  return true
}

function inflate(compressed: string, most: number): string | null {
  try {
    return inflateSync(Buffer.from(compressed, 'latin1'), { maxOutputLength: Math.max(1, most) }).toString('latin1')
  } catch {
    return null
  }
}
