import { type Amounts, isAmount } from './amounts.ts'
import type { ReportedAmounts } from './reservation.ts'

/**
 * Amounts to reserve whose cost counts on a phase as well: what is not said to be planning is execution, since a cost of
 * no phase would pass by the limits of both.
 */
export function reserveInPhase(amounts: Amounts): Amounts {
  const { cost = 0, planningCost = 0, executionCost } = amounts
  if (executionCost !== undefined || !isAmount(cost) || !isAmount(planningCost) || cost <= planningCost) return amounts
  return { ...amounts, executionCost: cost - planningCost }
}

/**
 * What is reported of a call, with its cost on the phase that was reserved. Where both phases were, and the report names
 * none, both stay as they were reserved.
 */
export function reportInPhase(reserved: Amounts, reported: ReportedAmounts): ReportedAmounts {
  const { cost, planningCost, executionCost } = reported
  if (!isAmount(cost) || executionCost !== undefined) return reported
  if (planningCost !== undefined) {
    return isAmount(planningCost) ? { ...reported, executionCost: Math.max(0, cost - planningCost) } : reported
  }
  if ((reserved.planningCost ?? 0) === 0) return { ...reported, executionCost: cost }
  return (reserved.executionCost ?? 0) === 0 ? { ...reported, planningCost: cost } : reported
}
