import { showValue } from '../core/errors.ts'
import type { LimitCollector } from './limit-collector.ts'
import type { NamedLimit } from './limit-names.ts'
import type { SharedBudgetName } from './published-ranges.ts'
import { readAmount } from './read-amount.ts'
import { refuse } from './reading.ts'
import { type FieldPath, placeAt, sourceAt, type WrittenAt } from './written-at.ts'

/** A shared budget has the range of a native cost limit: the published one is for a single agent. */
export function sharedBudget(name: SharedBudgetName): NamedLimit {
  return { name, meter: 'cost', isWhole: false, published: null }
}

/** Reads a budget that an agent shares with its caller's other agents; the user's is one per day. */
export function readSharedBudget(
  name: SharedBudgetName,
  value: unknown,
  path: FieldPath,
  at: WrittenAt,
  collector: LimitCollector,
): void {
  // One agent's parameters must not lift a budget that is not its own.
  const isRemoval = value === null || value === false || value === 'unlimited'
  const reading = isRemoval
    ? refuse(
        `${showValue(value)} cannot remove a budget that others share. Leave ${name} out, or write dollars, e.g. 100.`,
      )
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
