import { createHash } from 'node:crypto'

/** How many entries the journal of a ledger has had, and when that was written. */
export interface HighWaterMark {
  readonly ledgerId: string
  readonly entries: number
  readonly atMs: number
}

/** Every mark has this length, so that one write fully replaces another. */
export const SLOT_BYTES = 256

const WORDS = /^stint-high-water 1 (\S+) (\d+) (\d+) ([0-9a-f]{16}) *\n$/

/** One line of text with a checksum, readable by people. */
export function formatMark({ ledgerId, entries, atMs }: HighWaterMark): Buffer {
  const facts = `stint-high-water 1 ${encodeURIComponent(ledgerId)} ${entries} ${Math.floor(atMs)}`
  const line = Buffer.from(`${`${facts} ${checksumOf(facts)}`.padEnd(SLOT_BYTES - 1)}\n`)
  if (line.length !== SLOT_BYTES) throw new RangeError('the id of the ledger is too long')
  return line
}

/** `null` unless every byte is as it was written. */
export function parseMark(bytes: Buffer): HighWaterMark | null {
  const line = bytes.length === SLOT_BYTES ? bytes.toString('latin1') : ''
  const [, ledgerId = '', entries, atMs, checksum] = WORDS.exec(line) ?? []
  const facts = `stint-high-water 1 ${ledgerId} ${entries} ${atMs}`
  if (checksum !== checksumOf(facts)) return null
  return { ledgerId: decodeURIComponent(ledgerId), entries: Number(entries), atMs: Number(atMs) }
}

function checksumOf(facts: string): string {
  return createHash('sha256').update(facts).digest('hex').slice(0, 16)
}
