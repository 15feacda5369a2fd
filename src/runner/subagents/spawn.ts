import { agentNamed } from '../../agents/index.ts'
import { recordedGroup } from '../groups/recorded-group.ts'
import { recordedRun } from '../groups/recorded-result.ts'
import { isSavedGroup } from '../groups/saved-group.ts'
import { withModelOf } from '../run/with-model-of.ts'
import { taskFiles } from '../tasks/task-files.ts'
import type { Delegator } from './delegator.ts'
import { type ChildFollower, followChildren } from './follow-children.ts'
import type { ChainOrder, Order, ParallelOrder, SingleOrder } from './order.ts'
import type { Spawned } from './report-child.ts'

/** Carries out an order under this id. Finished work never runs again, and started work continues. */
export async function spawn(delegator: Delegator, id: string, order: Order, signal: AbortSignal): Promise<Spawned> {
  const follower = followChildren(delegator, id, order.kind === 'single' ? order.agent : order.kind)
  const spawned =
    order.kind === 'single'
      ? await spawnOne(delegator, id, order, signal, follower)
      : await spawnGroup(delegator, id, order, signal, follower)
  follower.onEnd(spawned)
  return spawned
}

/** Resumes a run that was paused, or whose process died. */
export async function resumeSpawned(delegator: Delegator, id: string, signal: AbortSignal): Promise<Spawned> {
  const { context, spawner } = delegator
  const follower = followChildren(delegator, id, '')
  const isGroup = isSavedGroup(taskFiles(context.taskFolder, id).request, id)
  const spawned = isGroup
    ? await spawner.resumeGroup(id, { signal, onProgress: follower.onGroup })
    : await spawner.resume(id, { signal, onProgress: follower.onRun })
  follower.onEnd(spawned)
  return spawned
}

async function spawnOne(
  { context, spawner, saved, scope, found }: Delegator,
  id: string,
  { agent: name, task, limits, conversation, acceptance = null }: SingleOrder,
  signal: AbortSignal,
  { onRun: onProgress }: ChildFollower,
): Promise<Spawned> {
  const known = await recordedRun(context, id)
  if (known.kind === 'ended') return known.result
  if (known.kind === 'begun') return spawner.resume(id, { signal, onProgress })
  const { workingFolder, wrapUp, group } = saved
  return spawner.run(
    {
      agent: withModelOf(saved, agentNamed(found, name)),
      id,
      task,
      workingFolder,
      layers: limits,
      within: scope,
      conversation,
      wrapUp,
      group: { id: saved.id, sharedFolder: group?.sharedFolder ?? null, isRestart: true },
      ...(acceptance === null ? {} : { contract: { ...acceptance, onlyAdds: true } }),
    },
    { signal, onProgress },
  )
}

async function spawnGroup(
  delegator: Delegator,
  id: string,
  order: ParallelOrder | ChainOrder,
  signal: AbortSignal,
  { onGroup: onProgress }: ChildFollower,
): Promise<Spawned> {
  const { context, spawner, saved, scope } = delegator
  const options = { signal, onProgress, parent: saved.id }
  const known = await recordedGroup(context, id)
  if (known.kind === 'begun') return spawner.resumeGroup(id, options)
  if (known.kind === 'ended') return known.result ?? spawner.recoverGroup(id)
  const request = {
    id,
    name: order.kind,
    workingFolder: saved.workingFolder,
    layers: order.limits,
    within: scope,
    model: saved.models[0]!,
    wrapUp: saved.wrapUp,
  }
  if (order.kind === 'chain') return spawner.chain({ ...request, chain: order.chain, task: order.task }, options)
  const { tasks, failFast, concurrency } = order
  const most = concurrency === null ? {} : { concurrency }
  return spawner.parallel({ ...request, ...most, tasks, failFast }, options)
}
