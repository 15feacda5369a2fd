import { messageOf } from '../../../../core/checks/thrown.ts'
import type { Clock } from '../../../../core/ports/clock-and-ids.ts'
import type { StintError } from '../../../../core/stint-error.ts'
import { StoreUnavailableError } from '../../../records/store-errors.ts'
import { highWaterFileOf } from './high-water-file.ts'
import type { HighWaterMark } from './high-water-mark.ts'
import { readSlots, writeSlot } from './high-water-slots.ts'

/** `damaged` is not "nothing": there was a ledger, and the length of its journal is unknown. */
export type HighWaterReading =
  | ({ readonly kind: 'read' } & HighWaterMark)
  | { readonly kind: 'damaged'; readonly reason: string }

/** Stores next to the ledger how many entries its journal has had, so that a lost end is noticed. */
export interface HighWater {
  /** The highest mark of this ledger, or of another one if this has none; `null`: no such file. Never throws. */
  read(): HighWaterReading | null
  /** Writes at once, and only ever raises the mark. Throws `store_unavailable`. */
  write(entries: number): void
  /** Writes within 200 ms. Never throws. */
  note(entries: number): void
  /** Writes pending marks. Idempotent, never throws. */
  close(): void
}

export interface HighWaterOptions {
  readonly ledgerId: string
  readonly clock: Clock
  /** Throws if the ledger is gone: then nothing is written next to it. Default: never throws. */
  readonly assertInPlace?: () => void
  /** Called when a noted number could not be written. The next one is tried again. */
  readonly onProblem?: (error: StintError) => void
}

const DELAY_MS = 200

/**
 * The mark of the ledger in `ledgerFile`. It is never synced: it may lag behind the journal but must never be ahead of
 * it, so note only committed entries.
 */
export function createHighWater(ledgerFile: string, options: HighWaterOptions): HighWater {
  const { ledgerId, clock, onProblem, assertInPlace } = options
  const file = highWaterFileOf(ledgerFile)
  let noted: number | null = null
  let cancel: (() => void) | null = null

  function write(entries: number): void {
    try {
      writeSlot(file, { ledgerId, entries, atMs: clock.wallMs() })
    } catch (error) {
      throw new StoreUnavailableError(`The file ${file} could not be written (${messageOf(error)}).`, error)
    }
  }

  function writeNoted(): void {
    cancel?.()
    cancel = null
    const entries = noted
    noted = null
    if (entries === null) return
    try {
      assertInPlace?.()
      write(entries)
    } catch (error) {
      onProblem?.(error as StintError)
    }
  }

  return {
    read: () => readMark(file, ledgerId),
    write,
    note(entries) {
      noted = Math.max(noted ?? 0, entries)
      cancel ??= clock.after(DELAY_MS, writeNoted, { unref: true })
    },
    close: writeNoted,
  }
}

function readMark(file: string, ledgerId: string): HighWaterReading | null {
  try {
    const slots = readSlots(file)
    if (slots === null) return null
    const marks = slots.filter((slot) => slot !== null)
    const own = marks.filter((mark) => mark.ledgerId === ledgerId)
    const [highest] = (own.length > 0 ? own : marks).toSorted((one, other) => other.entries - one.entries)
    if (highest !== undefined) return { kind: 'read', ...highest }
    return { kind: 'damaged', reason: `${file} is damaged: no part of it has a valid checksum` }
  } catch (error) {
    return { kind: 'damaged', reason: `${file} cannot be read (${messageOf(error)})` }
  }
}
