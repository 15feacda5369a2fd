import type { LedgerStore, StintEvent } from '../core/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'
import { createManualClock, type ManualClock } from '../testing/manual-clock.ts'
import { createGovernor } from './create-governor.ts'
import type { Governor } from './governor.ts'

/** Two processes on one ledger: two governors that share nothing but the store and the time. */
export interface GovernorPair {
  readonly clock: ManualClock
  readonly store: LedgerStore
  /** Holders that have died: from then on they do nothing, and everybody can know. */
  readonly dead: Set<string>
  /** Everything that any of them told, with the name of the one that did. */
  readonly events: (StintEvent & { readonly teller: string })[]
  readonly told: string[]
  start(holder: string, through?: LedgerStore): Governor
  readonly ours: Governor
  readonly theirs: Governor
}

export function createPair(store: LedgerStore = createMemoryStore({ isShared: true })): GovernorPair {
  const clock = createManualClock()
  const dead = new Set<string>()
  let ids = 0
  const events: GovernorPair['events'] = []
  const told: string[] = []
  const start = (holder: string, through: LedgerStore = store): Governor =>
    createGovernor({
      store: untilDeath(through, () => dead.has(holder)),
      clock,
      holder,
      createId: () => `${holder} ${++ids}`,
      isHolderAlive: (each) => !dead.has(each),
      onEvent(event) {
        if (dead.has(holder)) return
        told.push(event.event)
        events.push({ ...event, teller: holder })
      },
    })
  return { clock, store, dead, events, told, start, ours: start('ours'), theirs: start('theirs') }
}

/** Whoever has died asks nothing more, and hears nothing more. */
function untilDeath(store: LedgerStore, isDead: () => boolean): LedgerStore {
  const operations = Object.entries(store).map(([name, operate]) => {
    if (typeof operate !== 'function') return [name, operate]
    // Looked up anew each time: a test may put another operation in its place.
    const operation = async (request: never): Promise<unknown> => {
      if (isDead()) return new Promise(() => {})
      const answer = await (store[name as keyof LedgerStore] as typeof operate)(request)
      return isDead() ? new Promise(() => {}) : answer
    }
    return [name, operation]
  })
  return Object.fromEntries(operations) as LedgerStore
}
