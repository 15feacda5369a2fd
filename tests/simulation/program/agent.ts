import type { Scope } from '../../../src/governor/index.ts'
import { type SimulatedProcess, sleep } from '../world/process.ts'
import { firmly, isExpected, isStoreError } from './expected-errors.ts'
import { ceilingsOver, runLimits } from './limits.ts'
import { fail, type Stage } from './stage.ts'
import { type StepEnd, step } from './step.ts'

/** What an agent knows of its work: all that another process needs to go on with it. */
export interface Conversation {
  readonly depth: number
  left: number
  /** Told apart from every other that was ever saved. */
  mark: string
}

/** An agent at work: it calls, delegates, pauses and asks until its work is done, and then ends its scope. */
export async function runAgent(
  stage: Stage,
  process: SimulatedProcess,
  scope: Scope,
  talk: Conversation,
): Promise<void> {
  if (stage.loops.get(scope.id)?.process === process) return
  const loop = { process, scope }
  stage.loops.set(scope.id, loop)
  let end: StepEnd = 'go on'
  while (end === 'go on' && talk.left > 0 && !stage.isHealing) {
    talk.left--
    end = await step(stage, process, scope, talk)
    await sleep(process, stage.world.dice.whole(5, 400))
  }
  if (end !== 'left') await firmly(stage, process, () => scope.close())
  // Another process may have taken it over meanwhile.
  if (stage.loops.get(scope.id) === loop) stage.loops.delete(scope.id)
}

/** Opens a run within the budget that everybody shares, and works on it. */
export async function startRun(stage: Stage, process: SimulatedProcess, within: Scope): Promise<void> {
  const { dice } = stage.world
  const id = stage.nextId('run')
  const limits = runLimits(dice)
  const layers = ceilingsOver(limits, id)
  const spec = { id, name: id, within, limits, layers, wrapUp: dice.chance(0.5), waitMs: 5_000 }
  const [scope] = await openFirmly(stage, process, [id], async () => [await process.governor.open(spec)])
  if (scope === undefined) return
  await runAgent(stage, process, scope, { depth: 0, left: dice.whole(2, 14), mark: '' })
}

/** Opens a child and works on it, as the parent's delegate. */
export async function delegate(
  stage: Stage,
  process: SimulatedProcess,
  parent: Scope,
  talk: Conversation,
): Promise<void> {
  const { dice } = stage.world
  const id = stage.nextId('child')
  const needs = dice.chance(0.2) ? { needs: { tokens: 2_000 } } : {}
  const limits = runLimits(dice)
  const layers = ceilingsOver(limits, id)
  const spec = { id, name: id, limits, layers, wrapUp: dice.chance(0.4), waitMs: 3_000, ...needs }
  const [scope] = await openFirmly(stage, process, [id], async () => [await parent.open(spec)])
  if (scope === undefined) return
  await runAgent(stage, process, scope, { depth: talk.depth + 1, left: dice.whole(1, 6), mark: '' })
}

const MOST_ATTEMPTS = 60

/**
 * The same id again is the same scope: an answer that was lost is asked for until it comes. Whoever gives up after such
 * a loss looks whether the scopes are there after all, and ends them.
 */
export async function openFirmly(
  stage: Stage,
  process: SimulatedProcess,
  ids: readonly string[],
  open: () => Promise<readonly Scope[]>,
): Promise<readonly Scope[]> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    try {
      return await open()
    } catch (error) {
      if (!isExpected(stage, error)) fail(stage, error as Error)
      if (!isStoreError(stage, error)) {
        if (attempt > 0) for (const id of ids) await endIfThere(stage, process, id)
        return []
      }
    }
    await sleep(process, stage.world.dice.whole(50, 600))
  }
  return []
}

async function endIfThere(stage: Stage, process: SimulatedProcess, id: string): Promise<void> {
  const scope = await firmly(stage, process, async () => process.governor.find(id))
  if (scope !== null) await firmly(stage, process, () => scope.stop())
}
