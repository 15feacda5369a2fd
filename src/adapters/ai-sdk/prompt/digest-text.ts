import { createHash } from 'node:crypto'

/** A text that differs if the value does. Files are represented by their digests. */
export function digestText(value: unknown): string {
  return JSON.stringify(value, (_, held) =>
    held instanceof Uint8Array ? createHash('sha256').update(held).digest('base64') : held,
  )
}
