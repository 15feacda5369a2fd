import { randomUUID } from 'node:crypto'
import type { RunnerContext } from '../../run/runner.ts'
import type { GroupRequest } from '../group-request.ts'
import type { ParsedGroup } from '../parse-group.ts'
import { describeGroup } from '../prepare-group.ts'
import type { Plan } from './plan.ts'

/** The worst case of a group. Checks every name in it, and starts nothing. */
export async function planRequest(context: RunnerContext, request: GroupRequest, group: ParsedGroup): Promise<Plan> {
  const { plan } = await describeGroup(context, request.id ?? randomUUID(), request, group)
  return plan
}
