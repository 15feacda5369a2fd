import type { Told } from './told.ts'

/** What the ledger answered to the workers, recorded as the payer would. */
export interface Book {
  readonly granted: Map<string, { readonly scope: string; readonly tokens: number }>
  /** What a worker was about to settle: it may have happened before the answer was lost. */
  readonly settling: Map<string, number>
  readonly settled: Map<string, number>
  readonly released: Set<string>
  readonly opened: Set<string>
  readonly closed: Set<string>
  readonly paused: Set<string>
  readonly resumed: Set<string>
  readonly keeping: Map<string, number>
  readonly kept: Map<string, number>
  breaches: number
}

export function createBook(): Book {
  return {
    granted: new Map(),
    settling: new Map(),
    settled: new Map(),
    released: new Set(),
    opened: new Set(),
    closed: new Set(),
    paused: new Set(),
    resumed: new Set(),
    keeping: new Map(),
    kept: new Map(),
    breaches: 0,
  }
}

/** Writes one line of a worker down. */
export function writeDown(book: Book, told: Told): void {
  if (told.kind === 'granted') book.granted.set(told.reservation, told)
  else if (told.kind === 'settling' || told.kind === 'settled') book[told.kind].set(told.reservation, told.tokens)
  else if (told.kind === 'released') book.released.add(told.reservation)
  else if (told.kind === 'opened' || told.kind === 'closed') book[told.kind].add(told.scope)
  else if (told.kind === 'paused' || told.kind === 'resumed') book[told.kind].add(told.by)
  else if (told.kind === 'keeping' || told.kind === 'kept') book[told.kind].set(told.scope, told.version)
  else if (told.kind === 'breached') book.breaches++
}
