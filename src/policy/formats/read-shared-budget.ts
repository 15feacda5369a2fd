import { showValue } from '../../core/errors.ts'
import type { NamedLimit } from '../limits/limit-names.ts'
import type { SharedBudgetName } from '../limits/published-ranges.ts'
import { readAmount } from '../limits/read-amount.ts'
import { type FieldPath, placeAt, sourceAt, type WrittenAt } from '../limits/written-at.ts'
import type { LimitCollector } from './limit-collector.ts'
import { refuse } from './reading-result.ts'

/** A shared budget has the range of a native cost limit: the published range is for a single agent. */
export function sharedBudget(name: SharedBudgetName): NamedLimit {
  return { name, meter: 'cost', isWhole: false, published: null }
}

/** Reads a budget that an agent shares with its caller's other agents. The user's budget is per day. */
export function readSharedBudget(
  name: SharedBudgetName,
  value: unknown,
  path: FieldPath,
  at: WrittenAt,
  collector: LimitCollector,
): void {
  // One agent's parameters must not remove a shared budget.
  const isRemoval = value === null || value === false || value === 'unlimited'
  const reading = isRemoval
    ? refuse(`${showValue(value)} cannot remove a shared budget. Leave ${name} out, or write dollars, e.g. 100.`)
    : readAmount(sharedBudget(name), value)
  if (!reading.ok) {
    collector.problems.refuse(placeAt(at, name, path), value, reading)
    return
  }
  collector.addEntry({
    kind: 'set',
    meter: 'cost',
    max: reading.value,
    per: name === 'user_budget_usd' ? 'day' : null,
    timeZone: null,
    action: null,
    nearing: null,
    source: sourceAt(at, name, path),
  })
}
