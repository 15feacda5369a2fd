import { type AmountVector, readCounters } from './amount-vector.ts'
import { isAmount } from './amounts.ts'
import { COUNTER_METERS, type CounterMeter } from './meter.ts'

/**
 * `open` until it is settled or released; `assumed` where what it used isn't known, because its holder died or its call
 * was cut: it is charged, and the truth may still correct it.
 */
export type ReservationState = 'open' | 'settled' | 'released' | 'assumed'

/** What a caller reports of a call. Anything may come from a provider, so nothing is believed unchecked. */
export type ReportedAmounts = Readonly<Partial<Record<CounterMeter, unknown>>>

/** A reported amount that was no amount. The reserved worst case was charged instead. */
export interface ChargeAnomaly {
  /** `all` where the whole report was none. */
  readonly meter: string
  readonly value: unknown
  readonly charged: number
}

/** What a settlement charges. */
export interface Charge {
  readonly charged: AmountVector
  readonly anomalies: readonly ChargeAnomaly[]
}

/**
 * What to charge for a reported usage: what is unknown or malformed at the reserved worst case, the rest as reported,
 * also above the reservation and for meters that were not reserved.
 */
export function chargeFor(reserved: AmountVector, reported: ReportedAmounts | null | undefined): Charge {
  if (reported === null || reported === undefined) return { charged: reserved, anomalies: NO_ANOMALIES }
  const charged = countersIn(reported)
  if (charged === null) return { charged: reserved, anomalies: [{ meter: 'all', value: reported, charged: 0 }] }
  let anomalies: ChargeAnomaly[] | null = null
  for (let index = 0; index < charged.length; index++) {
    const value = charged[index]
    if (isAmount(value)) continue
    charged[index] = reserved[index]!
    if (value === null) continue
    anomalies ??= []
    anomalies.push({ meter: COUNTER_METERS[index]!, value, charged: reserved[index]! })
  }
  return { charged: charged as number[], anomalies: anomalies ?? NO_ANOMALIES }
}

/** What a report says of each counter; `null` where it is none, or throws when it is read. */
function countersIn(reported: ReportedAmounts): unknown[] | null {
  try {
    if (typeof reported !== 'object' || Array.isArray(reported)) return null
    return readCounters<unknown, null>(reported, null)
  } catch {
    return null
  }
}

const NO_ANOMALIES: readonly ChargeAnomaly[] = []

/** What a settlement or a release does to a reservation in this state. */
export type Transition =
  /** The first word on an open reservation: it leaves `reserved`, and the charge is settled. */
  | 'first'
  /** The truth about an assumed one: the difference to what was assumed is settled. */
  | 'correction'
  /** The same again: nothing happens. */
  | 'duplicate'
  /** Another amount than before: nothing happens, and the caller is told. */
  | 'conflict'

/**
 * The life of a reservation: open → settled | released | assumed → settled | released. `before` is what it was charged.
 * A guess corrects another guess, never what is known.
 */
export function transitionTo(
  state: ReservationState,
  before: AmountVector,
  charge: AmountVector,
  next: Exclude<ReservationState, 'open'>,
): Transition {
  if (state === 'open') return 'first'
  const isSame = COUNTER_METERS.every((_, index) => before[index] === charge[index])
  if (state === 'assumed' && !(next === 'assumed' && isSame)) return 'correction'
  return isSame ? 'duplicate' : 'conflict'
}
