import { type Amounts, COUNTER_METERS, displayAmount, type Limit, type Meter } from '../../core/index.ts'
import { limitName } from '../../operate/views/limit-standing.ts'
import { formatMaximum } from '../../policy/index.ts'

/** A limit with its maximum: `cost/day $100.00`, and its action unless that is to end the run. */
export function limitText(limit: Limit): string {
  const action = limit.action === 'terminate' ? '' : ` (${limit.action})`
  return `${limitName(limit)} ${formatMaximum(limit.meter, limit.max)}${action}`
}

/**
 * Amounts on one line: `cost $0.12, turns 1`, each under the name of its limit as written, if there is one. Execution
 * cost is omitted if it is all of the cost.
 */
export function amountsText(amounts: Amounts, limits: readonly Limit[] = []): string {
  const nameOf = (meter: Meter): string => limits.find((limit) => limit.meter === meter)?.source.written ?? meter
  const parts = COUNTER_METERS.flatMap((meter) => {
    const amount = amounts[meter]
    if (meter === 'executionCost' && amount === amounts.cost) return []
    return amount === undefined || amount === 0 ? [] : [`${nameOf(meter)} ${displayAmount(meter, amount)}`]
  })
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}
