import { createHash } from 'node:crypto'

/** A value as text that differs where the value does. Files stand in it by their own digest. */
export function digestText(value: unknown): string {
  return JSON.stringify(value, (_, held) =>
    held instanceof Uint8Array ? createHash('sha256').update(held).digest('base64') : held,
  )
}
