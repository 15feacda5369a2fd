import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { codeOf } from '../../../../core/checks/thrown.ts'
import { formatMark, type HighWaterMark, parseMark, SLOT_BYTES } from './high-water-mark.ts'

/** The content of a slot; `null` if unreadable. */
type Slot = HighWaterMark | null

// Two, so that a torn write leaves the previous one intact.
const SLOTS = 2

/** All slots; `null` if there is no file. */
export function readSlots(file: string): readonly Slot[] | null {
  try {
    return withFile(file, constants.O_RDONLY, slotsOf)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Overwrites the lower or broken slot, unless the same ledger has a mark at least as high. */
export function writeSlot(file: string, mark: HighWaterMark): void {
  withFile(file, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), (descriptor) => {
    const entries = slotsOf(descriptor).map((slot) => (slot?.ledgerId === mark.ledgerId ? slot.entries : -1))
    if (Math.max(...entries) >= mark.entries) return
    const place = entries.indexOf(Math.min(...entries)) * SLOT_BYTES
    const written = writeSync(descriptor, formatMark(mark), 0, SLOT_BYTES, place)
    if (written !== SLOT_BYTES) throw new Error(`only ${written} of ${SLOT_BYTES} bytes were written`)
  })
}

// Opened each time, so that a file that was removed in between is created again instead of being written unseen.
function withFile<T>(file: string, flags: number, use: (descriptor: number) => T): T {
  const descriptor = openSync(file, flags, 0o600)
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function slotsOf(descriptor: number): readonly Slot[] {
  const bytes = Buffer.alloc(SLOTS * SLOT_BYTES)
  readSync(descriptor, bytes, 0, bytes.length, 0)
  return Array.from({ length: SLOTS }, (_, slot) =>
    parseMark(bytes.subarray(slot * SLOT_BYTES, (slot + 1) * SLOT_BYTES)),
  )
}
