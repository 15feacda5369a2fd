import type { LedgerStore, ScopeReading } from '../../../src/core/index.ts'
import { demand } from '../world/violation.ts'
import { type Applied, applyOperation } from './apply-operation.ts'
import { compareHistory } from './compare-history.ts'
import { compareScope } from './compare-scope.ts'
import type { WitnessRequest, WitnessReservation, WitnessScope } from './records.ts'
import type { Waiters } from './waiters.ts'

/**
 * Sees every operation as the store answers it, also where the answer is lost on its way, and keeps books of its own:
 * plain sums, written without the product. What the store says is compared with them after every event.
 */
export interface Witness {
  readonly scopes: Map<string, WitnessScope>
  readonly reservations: Map<string, WitnessReservation>
  readonly openRequests: Map<string, WitnessRequest>
  readonly waiters: Waiters
  /** An operation took effect. */
  saw(applied: Applied): void
  /** Compares all that was touched since the last time with what the store says. */
  compare(): Promise<void>
  compareAll(atMs: number): Promise<void>
  /** Compares the whole history with what happened. */
  compareHistory(atMs: number): Promise<void>
}

/** A question to ask once the store can be read: with how a scope and those above it stand. */
export type Question = (readings: readonly ScopeReading[]) => void

export interface Books {
  readonly scopes: Map<string, WitnessScope>
  readonly reservations: Map<string, WitnessReservation>
  /** The one open request, by the key of the limit. */
  readonly openRequests: Map<string, WitnessRequest>
  readonly waiters: Waiters
  /** How often each event must be in the history, by its kind and what it is about. */
  readonly foreseen: Map<string, number>
  /** Asks to compare a scope and those above it, at a time. */
  touch(scopeId: string, atMs: number, question?: Question): void
}

/** A witness that reads through `observer`. */
export function createWitness(observer: LedgerStore): Witness {
  let touched: { readonly scopeId: string; readonly atMs: number; readonly question: Question | null }[] = []
  let operations = 0
  const books: Books = {
    scopes: new Map(),
    reservations: new Map(),
    openRequests: new Map(),
    waiters: new Map(),
    foreseen: new Map(),
    touch(scopeId, atMs, question) {
      touched.push({ scopeId, atMs, question: question ?? null })
    },
  }

  async function read(scopeId: string, atMs: number): Promise<readonly ScopeReading[]> {
    const readings = await observer.read({ scopeId, atMs })
    demand(readings !== null, 'counters', () => `the store does not know ${scopeId}`)
    return readings!
  }

  return {
    ...books,
    saw(applied) {
      operations++
      applyOperation(books, applied)
    },
    async compare() {
      if (touched.length === 0) return
      const due = touched
      const isAlone = operations === 1
      touched = []
      operations = 0
      for (const { scopeId, atMs, question } of due) {
        const readings = await read(scopeId, atMs)
        // Where several operations shared a transaction, nobody can look between them.
        if (isAlone) question?.(readings)
        for (const reading of readings) compareScope(books, reading, atMs)
      }
    },
    async compareAll(atMs) {
      for (const scopeId of books.scopes.keys()) {
        const readings = await read(scopeId, atMs)
        compareScope(books, readings.at(-1)!, atMs)
      }
    },
    compareHistory: (atMs) => compareHistory(books, observer, atMs),
  }
}
