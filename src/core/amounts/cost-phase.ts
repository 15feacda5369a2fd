import type { ReportedAmounts } from '../ports/reservation.ts'
import { type Amounts, isAmount } from './amounts.ts'

/**
 * Adds the cost of a reservation to its phase. Anything not marked as planning counts as execution: a cost without a
 * phase would escape the limits of both.
 */
export function reserveInPhase(amounts: Amounts): Amounts {
  const { cost = 0, planningCost = 0, executionCost } = amounts
  if (executionCost !== undefined || !isAmount(cost) || !isAmount(planningCost) || cost <= planningCost) return amounts
  return { ...amounts, executionCost: cost - planningCost }
}

/**
 * Adds the reported cost of a call to the phase it was reserved on. If both phases were reserved and the report names
 * neither, both keep their reserved amounts.
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
