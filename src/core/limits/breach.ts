import { displayAmount } from '../amounts/display-amount.ts'
import { formatMaximum } from '../amounts/format-maximum.ts'
import { balanceKey, type LimitBalance, remainingOf, type ScopeBalance } from '../decide/balance.ts'
import type { Meter } from '../meter.ts'
import type { Action } from './action.ts'
import type { Limit } from './limit.ts'
import { describeRemedy, describeRemedyForClient, describeSource, type LimitSource } from './limit-source.ts'
import type { Period } from './window.ts'

/** The state of a limit when more was requested than it had left. */
export type LimitStanding = Pick<Breach, 'settled' | 'reserved' | 'held' | 'asked' | 'remaining' | 'resetsAt'>

/** Why a reservation didn't fit: which limit of which scope, where it is set, its state, and what was requested. */
export interface Breach {
  /** Identifies the limit and its scope in the whole ledger. */
  readonly key: string
  /** The id of the scope that has the limit. */
  readonly scope: string
  readonly scopePath: string
  readonly meter: Meter
  readonly limit: number
  readonly per: Period | null
  readonly settled: number
  readonly reserved: number
  readonly held: number
  readonly asked: number
  readonly remaining: number
  /** When the window ends (epoch milliseconds); `null` without a period. */
  readonly resetsAt: number | null
  readonly action: Action
  readonly source: LimitSource
  /** The smallest limit that would currently admit it; `null` if unknown. */
  readonly leastLimit: number | null
  /** All of this as a message for people, with what to do next. */
  readonly message: string
}

/** Further facts about a request that didn't fit. */
export interface ShortOf {
  readonly leastLimit?: number | null
  /**
   * The path of the scope whose first model call this is, admitted together with its closing call; `null` for any other
   * call.
   */
  readonly firstOf?: string | null
}

/** A breach of a limit by a request for `asked`, which is more than it has left. */
export function breachOf(scope: ScopeBalance, balance: LimitBalance, asked: number, short: ShortOf = {}): Breach {
  const { limit, held, resetsAt } = balance
  const { settled, reserved } = balance.counter
  const standing = { settled, reserved, held, asked, remaining: remainingOf(balance), resetsAt }
  return describeBreach(scope, limit, standing, short)
}

/** A breach from the state of a limit; also for levels and gauges, which have no reservations. */
export function describeBreach(
  scope: { id: string; path: string },
  limit: Limit,
  standing: LimitStanding,
  short: ShortOf = {},
): Breach {
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
    leastLimit: short.leastLimit ?? null,
    message: breachMessage(scope.path, limit, standing, short),
  }
}

/** The message of a breach for a client of a gateway: it names whom to ask, not what only the operator can do. */
export function messageForClient(breach: Breach): string {
  return withRemedy(breach, describeRemedyForClient(breach.source, leastText(breach)))
}

/** The message of a breach for a child that wasn't opened because of it: the flag it names isn't one of the child's. */
export function messageForChild(breach: Breach): string {
  return withRemedy(breach, describeRemedy(breach.source, { owner: breach.scopePath, least: leastText(breach) }))
}

function withRemedy(breach: Breach, remedy: string): string {
  const { message, source } = breach
  const own = describeRemedy(source, { least: leastText(breach) })
  return message.endsWith(own) ? `${message.slice(0, -own.length)}${remedy}` : message
}

function breachMessage(scopePath: string, limit: Limit, standing: LimitStanding, short: ShortOf): string {
  const { resetsAt } = standing
  const { leastLimit = null, firstOf = null } = short
  const reset = resetsAt === null ? '' : ` It resets at ${new Date(resetsAt).toISOString()}.`
  const least = leastText({ meter: limit.meter, leastLimit })
  const named = `he ${limit.source.written} limit of "${scopePath}"`
  const what =
    firstOf === null
      ? `T${named} ${shortage(limit, standing)}`
      : `The first call of "${firstOf}" and its closing answer need up to ${displayAmount(limit.meter, standing.asked, 'up')}, and t${named} ${stillFree(limit, standing)}`
  return `${what}. Set by ${describeSource(limit.source)}.${reset} ${describeRemedy(limit.source, { least })}`
}

// A larger limit has more digits, so the line in the prompt that names it takes more tokens.
const MARGIN_OF_LEAST = 100

/** A hundredth more and rounded up, in the form a limit is written, so that it is enough. */
function leastText({ meter, leastLimit }: Pick<Breach, 'meter' | 'leastLimit'>): string | undefined {
  if (leastLimit === null) return undefined
  const enough = leastLimit + Math.ceil(leastLimit / MARGIN_OF_LEAST)
  return displayAmount(meter, enough, 'up').replaceAll(',', '').replace(/^\$/, '')
}

/** "is used up: 25 of 25 used, 1 more requested", or "leaves $0.05 ($0.95 of $1.00 used), and $0.10 is requested". */
function shortage(limit: Limit, standing: LimitStanding): string {
  const { asked, remaining } = standing
  const requested = displayAmount(limit.meter, asked, 'up')
  if (remaining === 0) return `${stillFree(limit, standing)}${asked === 0 ? '' : `, ${requested} more requested`}`
  return `${stillFree(limit, standing)}, and ${requested} is requested`
}

/** "is used up: 25 of 25 used", or "leaves $0.05 ($0.95 of $1.00 used)". */
function stillFree({ meter, max, per }: Limit, { settled, reserved, held, remaining }: LimitStanding): string {
  const maximum = `${formatMaximum(meter, max)}${per === null ? '' : ` per ${per}`}`
  const used = [
    `${displayAmount(meter, settled)} of ${maximum} used`,
    ...(reserved > 0 ? [`${displayAmount(meter, reserved)} reserved`] : []),
    ...(held > 0 ? [`${displayAmount(meter, held)} held for the closing call`] : []),
  ].join(', ')
  return remaining === 0 ? `is used up: ${used}` : `leaves ${displayAmount(meter, remaining, 'down')} (${used})`
}
