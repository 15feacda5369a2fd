import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { COUNTER_METERS, type LedgerStore, type LimitReading, type ScopeReading } from '../../src/core/index.ts'
import type { Snapshot, Step } from './play-history.ts'
import type { ReferenceBook } from './reference-book.ts'

/** Something that is true of every ledger, whatever was done to it. */
export interface Law {
  readonly title: string
  /** How often at least each of its cases comes in a thousand histories: a law that was never tried proves nothing. */
  readonly seen: Readonly<Record<string, number>>
  /** Throws where a step breaks the law. */
  checkStep?(step: Step, book: ReferenceBook, seen: (what: string) => void): void
  /** Throws where a whole history does. May go on with the store: it is not used any more. */
  checkHistory?(steps: readonly Step[], store: LedgerStore, seen: (what: string) => void): Promise<void>
}

/** The readings from the root down to the scope. */
export function pathIn(snapshot: Snapshot, book: ReferenceBook, scopeId: string): readonly ScopeReading[] {
  return book.path(scopeId).flatMap((id) => snapshot.get(id) ?? [])
}

export const isCounted = ({ limit }: LimitReading): boolean =>
  (COUNTER_METERS as readonly string[]).includes(limit.meter)
export const isEnforced = ({ limit }: LimitReading): boolean => limit.action !== 'warn'

/** All that is counted, without what was said of it. */
export function balancesOf(snapshot: Snapshot): unknown {
  return [...snapshot.values()].map(({ id, totals, limits }) => ({
    id,
    totals,
    limits: limits.map(({ settled, reserved, held }) => ({ settled, reserved, held })),
  }))
}

/** Expects two values to be equal. Millions are, so the costly comparison is left to those that are not. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}
