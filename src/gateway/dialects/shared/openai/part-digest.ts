import { hash } from 'node:crypto'
import type { FoundMedia } from '../request/encoded-file.ts'
import { type JsonObject, objectFrom } from '../request/json-value.ts'
import { mediaFrom, spokenFrom } from './media-part.ts'

const CACHE_MARKS: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint'])
const MARK_BYTES = Array.from(CACHE_MARKS, (mark) => Buffer.from(mark))
const NO_MEDIA: readonly FoundMedia[] = []

/** The media of a part of the prompt; `contents` may be media. */
export function partMedia(value: unknown, contents: readonly JsonObject[]): readonly FoundMedia[] {
  const spoken = spokenFrom(objectFrom(value) ?? {})
  if (spoken === null && contents.length === 0) return NO_MEDIA
  return [...contents.flatMap((content) => mediaFrom(content) ?? []), ...(spoken === null ? [] : [spoken])]
}

/** Unaffected by a cache mark that moves. */
export function partDigest(bytes: Buffer, value: unknown): string {
  for (const mark of MARK_BYTES) {
    if (!bytes.includes(mark)) continue
    return sha256(JSON.stringify(value, (key, inner) => (CACHE_MARKS.has(key) ? undefined : inner)))
  }
  return sha256(bytes)
}

export function sha256(data: string | Buffer): string {
  return hash('sha256', data, 'base64')
}
