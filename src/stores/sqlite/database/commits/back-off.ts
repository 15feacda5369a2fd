import type { Random } from '../../../../core/ports/clock-and-ids.ts'

const SHORTEST_MS = 1
const LONGEST_MS = 3

/**
 * How long to wait before trying for the lock again, by the number of failed attempts. It stays short: a process that
 * waits longer than the holder's pauses never gets in.
 */
export function backOffMs(attempts: number, random: Random): number {
  const mostMs = Math.min(SHORTEST_MS * 2 ** Math.min(attempts, 10), LONGEST_MS)
  return mostMs * (0.5 + random() / 2)
}
