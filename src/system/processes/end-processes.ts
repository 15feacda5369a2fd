import type { Clock } from '../../core/index.ts'
import { identityOf } from './find-run-processes.ts'
import type { ProcessEntry } from './process-table.ts'

/** What ends processes, and how long it takes. */
export interface EndOptions {
  /** The processes that are still there. */
  readonly find: () => readonly ProcessEntry[]
  /** Sends a signal to a process that was found. Never throws. */
  readonly send: (entry: ProcessEntry, signal: NodeJS.Signals) => void
  readonly clock: Clock
  /** From the first signal to the last process: the three signals share it. */
  readonly graceMs: number
  /** The first signal. Default: SIGINT. */
  readonly from?: 'SIGINT' | 'SIGTERM'
}

const LOOK_EVERY_MS = 50
// Shares of the grace. The last fifth is for what SIGKILL leaves to do: to find who was forked meanwhile.
const TERM_AT = 0.5
const KILL_AT = 0.8
// Killed processes go at once, but for those that hang in the kernel: nobody waits for them for ever.
const LOOK_AFTER_KILL_MS = 20
const LOOKS_AFTER_KILL = 100

/** Asks processes to end, then tells them, then kills them. Resolves with those that are still there: normally none. */
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
    await sleep(clock, LOOK_AFTER_KILL_MS)
  }
  return options.find()
}

/** Sends a signal once to everybody, also to those who come later; whether all are gone in time. */
async function leaves({ find, send, clock }: EndOptions, signal: NodeJS.Signals, untilMs: number): Promise<boolean> {
  const told = new Set<string>()
  for (;;) {
    const left = find()
    if (left.length === 0) return true
    for (const entry of left) {
      const key = identityOf(entry)
      if (told.has(key)) continue
      told.add(key)
      send(entry, signal)
    }
    const leftMs = untilMs - clock.monotonicMs()
    if (leftMs <= 0) return false
    await sleep(clock, Math.min(LOOK_EVERY_MS, leftMs))
  }
}

function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.after(delayMs, resolve))
}
