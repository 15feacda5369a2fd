import type { WitnessScope } from '../witness/records.ts'
import type { SimulatedProcess } from '../world/process.ts'
import { type Conversation, runAgent } from './agent.ts'
import { firmly } from './expected-errors.ts'
import { isRun, type Stage } from './stage.ts'

/** Takes up a scope that nobody works on: one that was left paused, or whose owner died. */
export async function takeUp(stage: Stage, process: SimulatedProcess): Promise<void> {
  const found = [...stage.witness.scopes.values()].filter((scope) => isFree(stage, scope, process))
  if (found.length === 0) return
  await takeUpScope(stage, process, stage.world.dice.pick(found))
}

/** Whether nobody works on it, and this process may. */
export function isFree(stage: Stage, scope: WitnessScope, process: SimulatedProcess): boolean {
  if (scope.status === 'ended' || scope.kind === 'lasting' || isRun(stage, scope.id)) return false
  const isOwn = scope.owner === process.holder
  return scope.isOrphaned || (scope.status === 'paused' && !scope.isAsking) || (isOwn && stage.left.has(scope.id))
}

/** Resumes it where it stands, and goes on with what was saved. */
export async function takeUpScope(stage: Stage, process: SimulatedProcess, scope: WitnessScope): Promise<void> {
  const handle = await firmly(stage, process, async () => process.governor.find(scope.id))
  if (handle === null) return
  const known = stage.left.get(scope.id)
  const resumed = await firmly(stage, process, async () => ({ saved: (await handle.resume()) as Conversation | null }))
  // Where the answer was lost, the ledger has it as ours all the same.
  const isMine = scope.owner === process.holder && scope.status === 'running' && !scope.isOrphaned
  if (resumed === null && !isMine) return
  stage.left.delete(scope.id)
  const talk = resumed?.saved ?? known ?? { depth: scope.path.length, left: 1, mark: '' }
  await runAgent(stage, process, handle, { ...talk, left: Math.min(talk.left, 4) })
}
