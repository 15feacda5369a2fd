import type { Clock } from '../../../core/ports.ts'
import type { StintError } from '../../../core/stint-error.ts'
import { highWaterFileOf } from './high-water-file.ts'
import type { HighWaterMark } from './high-water-mark.ts'
import { readSlots, writeSlot } from './high-water-slots.ts'
import { StoreUnavailableError } from './store-errors.ts'

/** `damaged` is not "nothing": there was a ledger, and nobody knows how long its journal has been. */
export type HighWaterReading =
  | ({ readonly kind: 'read' } & HighWaterMark)
  | { readonly kind: 'damaged'; readonly reason: string }

/** Remembers beside the ledger how many entries its journal has had, so that a lost end is noticed. */
export interface HighWater {
  /** The highest mark of this ledger, or of another one if there is none of this; `null`: no such file. Never throws. */
  read(): HighWaterReading | null
  /** Writes at once, and only ever raises. Throws `store_unavailable`. */
  write(entries: number): void
  /** Writes within 200 ms. Never throws. */
  note(entries: number): void
  /** Writes what was noted. Idempotent, never throws. */
  close(): void
}

export interface HighWaterOptions {
  readonly ledgerId: string
  readonly clock: Clock
  /** Throws where the ledger is no longer there: then nothing is written beside it. Default: it is. */
  readonly assertInPlace?: () => void
  /** Hears why a noted number could not be written. It is tried again with the next one. */
  readonly onProblem?: (error: StintError) => void
}

const DELAY_MS = 200

/**
 * The mark of the ledger in `ledgerFile`. It is never synced: it may lag behind the journal and must never be ahead of
 * it, so note only what is committed.
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
      throw new StoreUnavailableError(`The file ${file} could not be written (${(error as Error).message}).`, error)
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
    return { kind: 'damaged', reason: `${file} is damaged: no part of it has a right checksum` }
  } catch (error) {
    return { kind: 'damaged', reason: `${file} cannot be read (${(error as Error).message})` }
  }
}
