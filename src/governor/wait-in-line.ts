import type { Breaches, Cancel } from '../core/index.ts'
import type { GovernorContext } from './scope-runtime.ts'
import type { Waiter } from './waiting-line.ts'

/** What somebody waits for, and how it asks. */
export interface Wait<Outcome> {
  readonly context: GovernorContext
  /** Ends the wait early: with a last, impatient attempt. */
  readonly signal: AbortSignal | null
  readonly waitMs: number
  attempt(patient: boolean): Promise<Outcome>
  /** The breaches that may yet come free; `null` when there is nothing to wait for any more. */
  shortOf(outcome: Outcome): Breaches | null
}

/** Waits until it fits, can never fit, the time is up, or the signal is aborted; answers with the last outcome. */
export function waitInLine<Outcome>(wait: Wait<Outcome>, first: Breaches): Promise<Outcome> {
  const { context, signal, waitMs, attempt, shortOf } = wait
  const { clock, line } = context
  return new Promise((resolve, reject) => {
    let blockedOn = scopesOf(first)
    const timers: Cancel[] = []
    const end = (): void => {
      for (const cancel of timers) cancel()
      line.leave(waiter)
      signal?.removeEventListener('abort', giveUp)
    }
    const giveUp = (): void => {
      end()
      attempt(false).then(resolve, reject)
    }
    const waiter: Waiter = {
      get blockedOn() {
        return blockedOn
      },
      async tryAgain() {
        try {
          const outcome = await attempt(true)
          const short = shortOf(outcome)
          if (short !== null) {
            blockedOn = scopesOf(short)
            return false
          }
          resolve(outcome)
        } catch (error) {
          reject(error)
        }
        end()
        return true
      },
    }
    line.join(waiter)
    timers.push(clock.after(waitMs, giveUp))
    for (const inMs of resetsOf(first, clock.wallMs())) {
      timers.push(clock.after(inMs, () => line.wake(blockedOn), { unref: true }))
    }
    if (signal?.aborted === true) giveUp()
    else signal?.addEventListener('abort', giveUp, { once: true })
  })
}

function scopesOf(breaches: Breaches): readonly string[] {
  return [...new Set(breaches.map(({ scope }) => scope))]
}

/** In how long the windows of these breaches open anew. */
function resetsOf(breaches: Breaches, nowMs: number): readonly number[] {
  return breaches.flatMap(({ resetsAt }) => (resetsAt === null ? [] : [Math.max(1, resetsAt - nowMs)]))
}
