import { emptySlot, resultOf, resultOfError } from '../groups/child-result.ts'
import type { ChildResult } from '../groups/group-result.ts'
import type { Order } from './order.ts'
import { isGroup, type Spawned } from './report-child.ts'

/** The results of the agents that one tool call started. */
export function childResults(spawned: Spawned, task: string): readonly ChildResult[] {
  return isGroup(spawned) ? spawned.results : [resultOf(slotFor(spawned.id, spawned.agent, task), spawned)]
}

/** The same for an order that could not be started. */
export function refusedResult(id: string, order: Order, error: unknown): ChildResult {
  const agent = order.kind === 'single' ? order.agent : order.kind
  return resultOfError(slotFor(id, agent, order.kind === 'parallel' ? '' : order.task), error)
}

/** The same for an agent that is no longer known here, or is still running. */
export function unknownResult(id: string, status: ChildResult['status'], reason: string): ChildResult {
  return emptySlot(slotFor(id, '', ''), status, reason)
}

function slotFor(id: string, agent: string, task: string) {
  return { id, agent, task, step: 1, key: id, label: null, phase: null, as: null }
}
