import type { StintEvent } from '../core/index.ts'
import { createManualClock, type ManualClock } from '../testing/manual-clock.ts'
import { createGovernor } from './create-governor.ts'
import type { Governor, GovernorOptions, Refusal, Reservation, Scope } from './governor.ts'

/** A governor on a clock that the test moves, with everything it told. */
export interface GovernorFixture {
  readonly governor: Governor
  readonly clock: ManualClock
  readonly events: StintEvent[]
  /** The events of one name, after all that is under way was told. */
  told(name: StintEvent['event']): Promise<StintEvent[]>
}

export function createGovernorFixture(options: GovernorOptions = {}): GovernorFixture {
  const clock = createManualClock()
  const events: StintEvent[] = []
  let ids = 0
  const governor = createGovernor({
    clock,
    createId: () => `id-${++ids}`,
    onEvent: (event) => void events.push(event),
    ...options,
  })
  return {
    governor,
    clock,
    events,
    async told(name) {
      await settleDown()
      return events.filter(({ event }) => event === name)
    },
  }
}

/** Lets everything run that only waits for promises. */
export async function settleDown(): Promise<void> {
  for (let turn = 0; turn < 25; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Reserves without waiting, and fails the test if there is no room. */
export async function mustReserve(scope: Scope, amounts: Parameters<Scope['reserve']>[0]): Promise<Reservation> {
  const outcome = await scope.reserve(amounts, { waitMs: 0 })
  if (!outcome.granted) throw new Error(outcome.breach.message)
  return outcome
}

/** Whether a promise is still pending after everything that can run has run. */
export async function isPending(promise: Promise<Reservation | Refusal | Scope>): Promise<boolean> {
  const pending = Symbol('pending')
  const timer = settleDown().then(() => pending)
  return (await Promise.race([promise.catch(() => null), timer])) === pending
}
