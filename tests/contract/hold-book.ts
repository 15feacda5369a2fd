import { balanceKey, type CounterMeter, isEnded } from '../../src/core/index.ts'
import { isOpen, type Step } from './play-history.ts'

/** Who holds how much of one limit; `null` where that cannot be told any more. */
type Holders = ReadonlyMap<string, number> | null

/**
 * Who holds what, worked out from how much is held before and after each step: a store tells only what all hold
 * together. Where several may have changed at once it is not known, until nothing is held there.
 */
export class HoldBook {
  #now = new Map<string, Holders>()
  #before: ReadonlyMap<string, Holders> = new Map()

  /** Takes in a step that changed what `scopeId` holds, and nobody else; `null`: perhaps what others hold. */
  record(step: Step, scopeId: string | null): void {
    this.#before = new Map(this.#now)
    const freed = freedScopes(step)
    const next = new Map<string, Holders>()
    for (const [id, { limits }] of step.after) {
      for (const { limit, held } of limits) {
        if (held === 0) continue
        const key = balanceKey(id, limit)
        const holders = this.#now.get(key)
        const known = holders === undefined ? new Map<string, number>() : holders
        next.set(
          key,
          known === null ? null : changed(known, held, { step, scopeId, freed, ownerId: id, meter: limit.meter }),
        )
      }
    }
    this.#now = next
  }

  /** What a scope held on a limit before the last step; `null` if that is not known. */
  ownBefore(scopeId: string, key: string): number | null {
    return own(this.#before, scopeId, key)
  }

  /** The same after it. */
  own(scopeId: string, key: string): number | null {
    return own(this.#now, scopeId, key)
  }
}

function own(book: ReadonlyMap<string, Holders>, scopeId: string, key: string): number | null {
  const holders = book.get(key)
  return holders === null ? null : (holders?.get(scopeId) ?? 0)
}

interface Change {
  readonly step: Step
  readonly scopeId: string | null
  readonly freed: ReadonlySet<string>
  /** The scope whose limit it is, and what it limits. */
  readonly ownerId: string
  readonly meter: string
}

function changed(known: ReadonlyMap<string, number>, held: number, change: Change): Holders {
  const { step, scopeId, freed, ownerId, meter } = change
  const holders = new Map([...known].filter(([id]) => !freed.has(id)))
  let rest = held - sumOf(holders)
  if (rest === 0) return holders
  if (scopeId !== null) holders.set(scopeId, (holders.get(scopeId) ?? 0) + rest)
  else if (isOpen(step) && rest > 0) {
    // One after the other, each as far as there is room.
    const isOfOne = step.request.scopes.some(({ id }) => id === ownerId)
    for (const { id, hold } of step.request.scopes) {
      if (isOfOne && id !== ownerId) continue
      const taken = Math.min(hold?.wanted[meter as CounterMeter] ?? 0, rest)
      rest -= taken
      if (taken > 0) holders.set(id, (holders.get(id) ?? 0) + taken)
    }
  }
  const isSound = sumOf(holders) === held && [...holders.values()].every((amount) => amount >= 0)
  return isSound ? holders : null
}

function sumOf(holders: ReadonlyMap<string, number>): number {
  return [...holders.values()].reduce((sum, amount) => sum + amount, 0)
}

/** The scopes that hold nothing after a step: those that ended, are paused for good, or are left behind. */
function freedScopes({ after }: Step): ReadonlySet<string> {
  const freed = [...after.values()].filter(({ status, pause, isOrphaned }) => {
    return isEnded(status) || isOrphaned || (pause !== null && pause.requestId === null)
  })
  return new Set(freed.map(({ id }) => id))
}
