import type { ReserveRequest } from '../../../src/core/index.ts'
import { demand } from '../world/violation.ts'
import type { Seen } from './apply-operation.ts'
import { askedWith, holdOf, isCrowdedBy, mostHeldOn, neededOn } from './closing-calls.ts'
import { COUNTERS } from './meters.ts'
import type { WitnessScope } from './records.ts'
import { tallyOf } from './tallies.ts'

/** A call that was told to wait. */
interface Waiter {
  readonly request: ReserveRequest
  readonly scope: WitnessScope
  /** Since when there has been room for it. */
  fitsSinceMs: number | null
}

/** Who waits for room, by the reservation that it asks for. */
export type Waiters = Map<string, Waiter>

// Half a second until a process looks what others have freed, and then the time of its store.
const LONGEST_MS = 1_200

/** Notes who waits, and who has stopped. */
export function noteWaiter(waiters: Waiters, scope: WitnessScope, { request, outcome }: Seen<'reserve'>): void {
  const waits = outcome.kind === 'breached' && outcome.mayFitLater && request.patient === true
  if (!waits) waiters.delete(request.reservationId)
  else if (!waiters.has(request.reservationId)) {
    waiters.set(request.reservationId, { request, scope, fitsSinceMs: null })
  }
}

/** Nobody waits for what is there. To be asked where nobody else of its process waits, who might come first. */
export function demandWoken(waiters: Waiters, holder: string, wallMs: number, nowMs: number): void {
  const [waiter] = [...waiters.values()].filter(({ request }) => request.holder === holder)
  if (waiter === undefined) return
  if (!fits(waiter, wallMs)) {
    waiter.fitsSinceMs = null
    return
  }
  waiter.fitsSinceMs ??= nowMs
  const forMs = nowMs - waiter.fitsSinceMs
  demand(forMs <= LONGEST_MS, 'nothing stuck', () => {
    return `${waiter.request.reservationId} waits on ${waiter.scope.id}, and has had room for ${Math.round(forMs)} ms`
  })
}

/** Whether there is room for those of a process is looked at anew. */
export function forgetRoom(waiters: Waiters, holder: string): void {
  for (const waiter of waiters.values()) if (waiter.request.holder === holder) waiter.fitsSinceMs = null
}

function fits({ request, scope }: Waiter, wallMs: number): boolean {
  const asked = askedWith(request, request.elastic?.enough ?? 0)
  const hold = holdOf(request)
  return scope.path.every((each) => {
    if (each.status !== 'running') return false
    return each.limits.every((limit) => {
      const index = COUNTERS.indexOf(limit.meter as never)
      if (index < 0 || limit.action === 'warn' || asked[index] === 0) return true
      const { settled, reserved } = tallyOf(each, limit, wallMs)
      const needed = neededOn(limit, asked[index]!, hold) + mostHeldOn(limit, hold)
      const isFree = settled[index]! + reserved[index]! + limit.held + needed <= limit.max
      return isFree && !isCrowdedBy(limit.held, limit, hold)
    })
  })
}
