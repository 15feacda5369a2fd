import type { Clock } from '../../core/index.ts'
import { sleepBy } from '../sleep.ts'
import { identityOf } from './find-run-processes.ts'
import type { ProcessEntry } from './process-table.ts'

/** How to end processes. */
export interface EndOptions {
  /** The processes that are still running. */
  readonly find: () => readonly ProcessEntry[]
  /** Sends a signal to a process. Never throws. */
  readonly send: (entry: ProcessEntry, signal: NodeJS.Signals) => void
  readonly clock: Clock
  /** The total time for all three signals. */
  readonly graceMs: number
  /** The first signal. Default: SIGINT. */
  readonly from?: 'SIGINT' | 'SIGTERM'
}

const LOOK_EVERY_MS = 50
// Fractions of the grace period. The last fifth is for SIGKILL, to find processes that were forked in the meantime.
const TERM_AT = 0.5
const KILL_AT = 0.8
// Killed processes end at once, unless they hang in the kernel.
const LOOK_AFTER_KILL_MS = 20
const LOOKS_AFTER_KILL = 100

/** Ends processes by SIGINT, SIGTERM, then SIGKILL. Resolves with those that are still running, normally none. */
export async function endProcesses(options: EndOptions): Promise<readonly ProcessEntry[]> {
  const { clock, graceMs, from = 'SIGINT' } = options
  const startedAt = clock.monotonicMs()
  const until = (share: number): number => startedAt + graceMs * share
  if (from === 'SIGINT' && (await leaves(options, 'SIGINT', until(TERM_AT)))) return []
  if (await leaves(options, 'SIGTERM', until(KILL_AT))) return []
  for (let look = 0; look < LOOKS_AFTER_KILL; look++) {
    const left = options.find()
    if (left.length === 0) return []
    for (const entry of left) options.send(entry, 'SIGKILL')
    await sleepBy(clock, LOOK_AFTER_KILL_MS)
  }
  return options.find()
}

/** Sends a signal once to each process, including later ones; returns whether all have ended in time. */
async function leaves({ find, send, clock }: EndOptions, signal: NodeJS.Signals, untilMs: number): Promise<boolean> {
  const signalled = new Set<string>()
  for (;;) {
    const left = find()
    if (left.length === 0) return true
    for (const entry of left) {
      const key = identityOf(entry)
      if (signalled.has(key)) continue
      signalled.add(key)
      send(entry, signal)
    }
    const leftMs = untilMs - clock.monotonicMs()
    if (leftMs <= 0) return false
    await sleepBy(clock, Math.min(LOOK_EVERY_MS, leftMs))
  }
}
