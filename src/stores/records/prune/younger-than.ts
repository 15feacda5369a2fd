const DAY_MS = 86_400_000
// Each deletes about a third of what is left.
const AGES_IN_DAYS = [60, 40, 27, 18, 12, 8, 5, 3, 2, 1]

/** The times up to which more and more is deleted if a ledger is too large. */
export function youngerThan(beforeMs: number, atMs: number): readonly number[] {
  return AGES_IN_DAYS.map((days) => atMs - days * DAY_MS).filter((eachMs) => eachMs > beforeMs)
}
