import type { Breaches, Cancel } from '../../../core/index.ts'
import type { GovernorContext } from '../../scope/scope-runtime.ts'
import { onAnyAbort } from '../ends/on-abort.ts'
import type { LineAsk, LineMoment, Waiter } from './waiting-line.ts'

/** What a caller waits for, and how to ask for it again. */
export interface Wait<Outcome> extends LineAsk {
  readonly context: GovernorContext
  readonly path: readonly string[]
  /** Any of them ends the wait early, after one last attempt. */
  readonly signals: readonly AbortSignal[]
  readonly waitMs: number
  /** The line's moment before the caller was first refused. */
  readonly since: LineMoment
  attempt(patient: boolean): Promise<Outcome>
  /** The breaches that may still clear; `null` when there is nothing left to wait for. */
  shortOf(outcome: Outcome): Breaches | null
}

/** Waits until it fits, can never fit, the time is up, or a signal is aborted. Resolves with the last outcome. */
export function waitInLine<Outcome>(wait: Wait<Outcome>, first: Breaches): Promise<Outcome> {
  const { context, lane, scopes, meters, path, signals, waitMs, since, attempt, shortOf } = wait
  const { clock, line } = context
  return new Promise((resolve, reject) => {
    let short = first
    let mayWait = true
    let isAsking = false
    let isDone = false
    let callOff = (): void => {}
    const timers: Cancel[] = []
    const windowEnds = new Set<number>()

    /** One attempt at a time: two at once could get different answers, and only one would be used. */
    async function ask(): Promise<boolean> {
      if (isAsking || isDone) return isDone
      isAsking = true
      try {
        let answer = await askOnce()
        if (!answer && !mayWait) answer = await askOnce()
        return answer
      } catch (error) {
        end()
        reject(error)
        return true
      } finally {
        isAsking = false
      }
    }

    async function askOnce(): Promise<boolean> {
      const patient = mayWait
      const outcome = await attempt(patient)
      const still = patient ? shortOf(outcome) : null
      if (still === null) {
        end()
        resolve(outcome)
        return true
      }
      short = still
      watchWindows()
      return false
    }

    function end(): void {
      isDone = true
      for (const cancel of timers) cancel()
      line.leave(waiter)
      callOff()
    }

    function giveUp(): void {
      mayWait = false
      void ask()
    }

    /** Tries again when a window opens. */
    function watchWindows(): void {
      for (const { resetsAt, scope } of short) {
        if (resetsAt === null || windowEnds.has(resetsAt)) continue
        windowEnds.add(resetsAt)
        const inMs = Math.max(1, resetsAt - clock.wallMs())
        timers.push(clock.after(inMs, () => openWindow(resetsAt, scope), { unref: true }))
      }
    }

    /** The wall clock may be behind the timer: if so, check again. */
    function openWindow(resetsAt: number, scope: string): void {
      windowEnds.delete(resetsAt)
      line.wake([scope])
    }

    const waiter: Waiter = {
      lane,
      scopes,
      meters,
      path,
      get short() {
        return short
      },
      tryAgain: ask,
    }
    line.join(waiter, since)
    watchWindows()
    timers.push(clock.after(waitMs, giveUp))
    callOff = onAnyAbort(signals, giveUp)
    if (signals.some(({ aborted }) => aborted)) giveUp()
  })
}
