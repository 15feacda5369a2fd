import type { Action } from './action.ts'
import { balanceKey, type LimitBalance, remainingOf, type ScopeBalance } from './balance.ts'
import { displayAmount } from './display-amount.ts'
import { formatMaximum } from './format-maximum.ts'
import type { Limit } from './limit.ts'
import { describeRemedy, describeRemedyForClient, describeSource, type LimitSource } from './limit-source.ts'
import type { Meter } from './meter.ts'
import type { Period } from './window.ts'

/** How a limit stood when more was asked of it than it had left. */
interface Standing {
  readonly settled: number
  readonly reserved: number
  readonly held: number
  readonly asked: number
  readonly remaining: number
  /** When the window ends (epoch milliseconds); `null` without a period. */
  readonly resetsAt: number | null
}

/** Why a reservation did not fit: which limit of which scope, set where, how it stands, and what was asked. */
export interface Breach extends Standing {
  /** Which limit of which scope it is, in the whole ledger. */
  readonly key: string
  /** The id of the scope whose limit it is. */
  readonly scope: string
  readonly scopePath: string
  readonly meter: Meter
  readonly limit: number
  readonly per: Period | null
  readonly action: Action
  readonly source: LimitSource
  /** Says all of this to a person, and what to do next. */
  readonly message: string
}

/** The breach of a limit by asking for `asked` more than it has left. */
export function breachOf(scope: ScopeBalance, balance: LimitBalance, asked: number): Breach {
  const { limit, held, resetsAt } = balance
  const { settled, reserved } = balance.counter
  return describeBreach(scope, limit, { settled, reserved, held, asked, remaining: remainingOf(balance), resetsAt })
}

/** A breach from how things stand: also for levels and gauges, which nothing reserves. */
export function describeBreach(scope: { id: string; path: string }, limit: Limit, standing: Standing): Breach {
  return {
    key: balanceKey(scope.id, limit),
    scope: scope.id,
    scopePath: scope.path,
    meter: limit.meter,
    limit: limit.max,
    per: limit.per,
    ...standing,
    action: limit.action,
    source: limit.source,
    message: breachMessage(scope.path, limit, standing),
  }
}

/** What a breach says to the client of a gateway that others operate: whom to ask, and not what only they can do. */
export function messageForClient(breach: Breach): string {
  return withRemedy(breach, describeRemedyForClient(breach.source))
}

/** What a breach says to a child that is not opened for it: the flag that it names is not one of the child's own. */
export function messageForChild(breach: Breach): string {
  return withRemedy(breach, describeRemedy(breach.source, breach.scopePath))
}

function withRemedy({ message, source }: Breach, remedy: string): string {
  const own = describeRemedy(source)
  return message.endsWith(own) ? `${message.slice(0, -own.length)}${remedy}` : message
}

function breachMessage(scopePath: string, limit: Limit, standing: Standing): string {
  const { resetsAt } = standing
  const reset = resetsAt === null ? '' : ` It resets at ${new Date(resetsAt).toISOString()}.`
  return (
    `The ${limit.source.written} limit of "${scopePath}" ${shortage(limit, standing)}. ` +
    `Set by ${describeSource(limit.source)}.${reset} ${describeRemedy(limit.source)}`
  )
}

/** "is used up: 25 of 25 used, 1 more requested", or "leaves $0.05 ($0.95 of $1.00 used), and $0.10 is requested". */
function shortage({ meter, max, per }: Limit, standing: Standing): string {
  const { settled, reserved, held, asked, remaining } = standing
  const maximum = `${formatMaximum(meter, max)}${per === null ? '' : ` per ${per}`}`
  const used = [
    `${displayAmount(meter, settled)} of ${maximum} used`,
    ...(reserved > 0 ? [`${displayAmount(meter, reserved)} reserved`] : []),
    ...(held > 0 ? [`${displayAmount(meter, held)} held for the closing call`] : []),
  ].join(', ')
  const requested = displayAmount(meter, asked, 'up')
  if (remaining === 0) return `is used up: ${used}${asked === 0 ? '' : `, ${requested} more requested`}`
  return `leaves ${displayAmount(meter, remaining, 'down')} (${used}), and ${requested} is requested`
}
