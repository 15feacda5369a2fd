import { type Agent, agentNamed } from '../../agents/index.ts'
import { recordedGroup } from '../modes/recorded-group.ts'
import { recordedRun } from '../modes/recorded-result.ts'
import { isSavedGroup } from '../modes/saved-group.ts'
import { taskFiles } from '../tasks/task-files.ts'
import { ToolFailure } from '../tools/tool-failure.ts'
import type { Delegator } from './delegator.ts'
import type { ChainOrder, Order, ParallelOrder, SingleOrder } from './order.ts'
import type { Spawned } from './report-child.ts'

/** Does what was ordered under this id. What is done never runs again, and what had begun goes on. */
export function spawn(delegator: Delegator, id: string, order: Order, signal: AbortSignal): Promise<Spawned> {
  return order.kind === 'single' ? spawnOne(delegator, id, order, signal) : spawnGroup(delegator, id, order, signal)
}

/** Resumes what was paused, or whose process died. */
export function goOn({ context, spawner }: Delegator, id: string, signal: AbortSignal): Promise<Spawned> {
  const isGroup = isSavedGroup(taskFiles(context.taskFolder, id).request, id)
  return isGroup ? spawner.resumeGroup(id, { signal }) : spawner.resume(id, { signal })
}

async function spawnOne(
  { context, spawner, saved, scope, found }: Delegator,
  id: string,
  { agent: name, task, limits, conversation }: SingleOrder,
  signal: AbortSignal,
): Promise<Spawned> {
  const known = await recordedRun(context, id)
  if (known.kind === 'ended') return known.result
  if (known.kind === 'begun') return spawner.resume(id, { signal })
  const { workingFolder, wrapUp, group } = saved
  return spawner.run(
    {
      agent: withModel(agentNamed(found, name), saved),
      id,
      task,
      workingFolder,
      layers: limits,
      within: scope,
      conversation,
      wrapUp,
      group: { id: saved.id, sharedFolder: group?.sharedFolder ?? null, isRestart: true },
    },
    { signal },
  )
}

async function spawnGroup(
  delegator: Delegator,
  id: string,
  order: ParallelOrder | ChainOrder,
  signal: AbortSignal,
): Promise<Spawned> {
  const { context, spawner, saved, scope } = delegator
  const known = await recordedGroup(context, id)
  if (known.kind === 'begun') return spawner.resumeGroup(id, { signal })
  if (known.kind === 'ended') {
    if (known.result !== null) return known.result
    throw new ToolFailure(`It had ended when its process died, and its result was lost. Its files: stint show ${id}.`)
  }
  const request = {
    id,
    name: order.kind,
    workingFolder: saved.workingFolder,
    layers: order.limits,
    within: scope,
    model: saved.models[0]!,
    wrapUp: saved.wrapUp,
  }
  if (order.kind === 'chain') {
    return spawner.chain({ ...request, chain: order.chain, task: order.task }, { signal })
  }
  const { tasks, failFast, concurrency } = order
  const most = concurrency === null ? {} : { concurrency }
  return spawner.parallel({ ...request, ...most, tasks, failFast }, { signal })
}

/** An agent without a model of its own has its parent's, as little trusted as there. */
function withModel(agent: Agent, { models, untrustedModels }: Delegator['saved']): Agent {
  if (agent.model !== null) return agent
  return { ...agent, model: models[0]!, untrustedModels: { ...agent.untrustedModels, ...untrustedModels } }
}
