import { type AmountVector, readCounters } from '../amounts/amount-vector.ts'
import { isAmount } from '../amounts/amounts.ts'
import { COUNTER_METERS, type CounterMeter } from '../meter.ts'

/**
 * `open` until it is settled or released; `assumed` if its usage is unknown because its holder died or its call was cut
 * off: it is charged, and the real figures may still correct it.
 */
export type ReservationState = 'open' | 'settled' | 'released' | 'assumed'

/** The reported usage of a call. A provider may send anything, so every value is checked. */
export type ReportedAmounts = Readonly<Partial<Record<CounterMeter, unknown>>>

/** A reported amount that isn't a valid amount. The reserved worst case was charged instead. */
export interface ChargeAnomaly {
  /** `all` if the whole report was invalid. */
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
 * What to charge for reported usage: unknown or malformed amounts at the reserved worst case, the rest as reported,
 * even above the reservation or on meters that weren't reserved.
 */
export function chargeFor(reserved: AmountVector, reported: ReportedAmounts | null | undefined): Charge {
  if (reported === null || reported === undefined) return { charged: reserved, anomalies: NO_ANOMALIES }
  let charged: unknown[] | null = null
  try {
    if (typeof reported === 'object' && !Array.isArray(reported)) charged = readCounters<unknown, null>(reported, null)
  } catch {
    // A getter or proxy that throws.
  }
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

const NO_ANOMALIES: readonly ChargeAnomaly[] = []

/** The effect of a settlement or release on a reservation. */
export type Transition =
  /** Ends an open reservation: it leaves `reserved`, and the charge is settled. */
  | 'first'
  /** Corrects an assumed one: the difference is settled. */
  | 'correction'
  /** Repeats the same amounts: nothing changes. */
  | 'duplicate'
  /** Differs from the earlier amounts: nothing changes, and the caller learns of it. */
  | 'conflict'

/**
 * The life of a reservation: open → settled | released | assumed → settled | released. `before` is the earlier charge.
 * An assumed amount may replace an assumed amount, never a known one.
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
