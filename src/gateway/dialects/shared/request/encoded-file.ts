import type { MediaFile } from '../../../../governor/edge.ts'

/** Media, and how many bytes of the body are its data rather than text. */
export interface FoundMedia {
  readonly part: MediaFile
  readonly bodyBytes: number
}

/** A file in a request: in base64, or as a `data:` URL. Without data, the provider fetches it. */
export function encodedFile(kind: MediaFile['kind'], data: unknown): FoundMedia {
  if (typeof data !== 'string') return { part: { kind, bytes: null }, bodyBytes: 0 }
  const comma = data.startsWith('data:') ? data.indexOf(',') : -1
  const isText = comma !== -1 && !data.slice(0, comma).endsWith(';base64')
  const length = data.length - (comma + 1)
  const bytes = isText ? length : Math.floor((length * 3) / 4)
  const read = (): string => {
    const encoded = comma === -1 ? data : data.slice(comma + 1)
    return isText ? encoded : Buffer.from(encoded, 'base64').toString('latin1')
  }
  return { part: { kind, bytes, read }, bodyBytes: data.length }
}
