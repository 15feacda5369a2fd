import { type AmountVector, zeroVector } from '../../../core/index.ts'
import type { JournalFact } from '../../operations/index.ts'
import { type StoredUsage, storedUsage, usageFrom } from '../rows/usage-text.ts'
import type { Checkpoint } from './checkpoint.ts'

type Reserved = Extract<JournalFact, { readonly kind: 'reserved' }>
type Charge = Extract<JournalFact, { readonly charged: unknown }>

/** The same as in the fact before it in the entry. */
type Repeated = 0
/** Pairs of a counter's index and its amount. */
type Sparse = readonly number[]
type CompactReserved = readonly [
  'r',
  at: number,
  scope: string | Repeated,
  reservation: string,
  holder: string | Repeated,
  amounts: Sparse,
  sequence: number,
]
type CompactCharge = readonly [
  'settled' | 'released' | 'assumed',
  at: number,
  sequence: number,
  charged: Sparse,
  price?: string | null,
  usage?: StoredUsage,
]
type StoredFact = JournalFact | CompactReserved | CompactCharge

/**
 * The facts of one entry as its body. The facts of every call are written without names: a charge only refers to the
 * number of its reservation, times are differences, and a repeated scope or holder is left out.
 */
export function bodyFromFacts(facts: readonly JournalFact[]): string {
  let [at, scope, holder] = [0, '', '']
  const stored = facts.map((fact): StoredFact => {
    const since = fact.at - at
    if (fact.kind === 'reserved') {
      const compact: CompactReserved = [
        'r',
        since,
        fact.scope === scope ? 0 : fact.scope,
        fact.reservation,
        fact.holder === holder ? 0 : fact.holder,
        sparse(fact.amounts),
        fact.sequence,
      ]
      ;({ at, scope, holder } = fact)
      return compact
    }
    const compact = isCharge(fact) ? compactCharge(fact, since) : null
    if (compact === null) return fact
    at = fact.at
    return compact
  })
  return JSON.stringify(stored.length === 1 && !Array.isArray(stored[0]) ? stored[0] : stored)
}

function isCharge(fact: JournalFact): fact is Charge {
  return 'charged' in fact
}

/** `null` if the short form cannot hold it. */
function compactCharge(fact: Charge, since: number): CompactCharge | null {
  const { kind, state, sequence, charged, usage, price = null, by, reason } = fact
  if (kind === 'corrected' || kind !== state || sequence === undefined) return null
  if (by !== undefined || reason !== undefined) return null
  if (usage !== undefined) return [kind, since, sequence, sparse(charged), price, storedUsage(usage)]
  return price === null ? [kind, since, sequence, sparse(charged)] : [kind, since, sequence, sparse(charged), price]
}

function sparse(amounts: AmountVector): Sparse {
  const pairs: number[] = []
  for (let index = 0; index < amounts.length; index++) if (amounts[index] !== 0) pairs.push(index, amounts[index]!)
  return pairs
}

function vectorFrom(pairs: Sparse): AmountVector {
  const amounts = [...zeroVector()]
  for (let place = 0; place < pairs.length; place += 2) amounts[pairs[place]!] = pairs[place + 1]!
  return amounts
}

/** Reads the bodies of one chain, from its first entry on. */
export interface FactReader {
  factsIn(body: string): readonly (JournalFact | Checkpoint)[]
}

export function createFactReader(): FactReader {
  // Those that may still be charged, by their numbers.
  const unfinished = new Map<number, { readonly reservation: string; readonly scope: string }>()

  function note(fact: JournalFact | Checkpoint): void {
    if (fact.kind === 'reserved') unfinished.set(fact.sequence, fact)
    if (fact.kind !== 'checkpoint') return
    for (const { sequence, id, scope } of fact.reservations) {
      unfinished.set(Number(sequence), { reservation: String(id), scope: String(scope) })
    }
  }

  function chargeFrom([kind, at, sequence, charged, price = null, usage]: CompactCharge, before: number): Charge {
    const reserved = unfinished.get(sequence)
    if (reserved === undefined) throw new Error(`the reservation ${sequence} was never created`)
    if (kind !== 'assumed') unfinished.delete(sequence)
    const { reservation, scope } = reserved
    const facts = { ...(usage === undefined ? {} : { usage: usageFrom(usage) }), ...(price === null ? {} : { price }) }
    return { kind, at: before + at, scope, reservation, charged: vectorFrom(charged), state: kind, sequence, ...facts }
  }

  return {
    factsIn(body) {
      const parsed = JSON.parse(body) as Checkpoint | StoredFact | readonly StoredFact[]
      const stored = (Array.isArray(parsed) ? parsed : [parsed]) as readonly (Checkpoint | StoredFact)[]
      let [at, scope, holder] = [0, '', '']
      return stored.map((each): JournalFact | Checkpoint => {
        if (!isCompact(each)) {
          note(each)
          return each
        }
        if (each[0] !== 'r') {
          const charge = chargeFrom(each, at)
          at = charge.at
          return charge
        }
        const [, since, ofScope, reservation, ofHolder, amounts, sequence] = each
        at += since
        scope = ofScope === 0 ? scope : ofScope
        holder = ofHolder === 0 ? holder : ofHolder
        const fact: Reserved = {
          kind: 'reserved',
          at,
          scope,
          reservation,
          holder,
          amounts: vectorFrom(amounts),
          sequence,
        }
        note(fact)
        return fact
      })
    },
  }
}

function isCompact(fact: Checkpoint | StoredFact): fact is CompactReserved | CompactCharge {
  return Array.isArray(fact)
}
