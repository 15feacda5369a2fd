import type { CallOutcome, Scope } from '../../../src/governor/index.ts'
import { type SimulatedProcess, sleep } from '../world/process.ts'
import { type Conversation, delegate, openFirmly, runAgent } from './agent.ts'
import { callModel, callTool, reserveByHand, wrapUp } from './calls.ts'
import { isExpected, isStoreError } from './expected-errors.ts'
import { runLimits } from './limits.ts'
import { pauseAndGoOn, standAtPause } from './pausing.ts'
import { fail, type Stage } from './stage.ts'

/** `ended`: nothing more is let in. `left`: it walked away from its scope, which stays paused. */
export type StepEnd = 'go on' | 'ended' | 'left'

/** One step of an agent. */
export async function step(
  stage: Stage,
  process: SimulatedProcess,
  scope: Scope,
  talk: Conversation,
): Promise<StepEnd> {
  const { dice } = stage.world
  const drawn = dice.unit()
  const afterCall = (outcome: CallOutcome<unknown>): Promise<StepEnd> => answered(stage, process, scope, talk, outcome)
  try {
    if (drawn < 0.52) return await afterCall(await callModel(stage, process, scope))
    if (drawn < 0.58) return await callTogether(stage, process, scope, talk)
    if (drawn < 0.72) return await afterCall(await callTool(stage, process, scope, talk))
    if (drawn < 0.82 && talk.depth < 2) await delegate(stage, process, scope, talk)
    else if (drawn < 0.85 && talk.depth < 2) await openGroup(stage, process, scope, talk)
    else if (drawn < 0.9) await reserveByHand(stage, process, scope)
    else if (drawn < 0.94) return await pauseAndGoOn(stage, process, scope, talk)
    else if (drawn < 0.96)
      await scope.requestIncrease({ meter: 'tokens', amount: dice.whole(1, 9_000), reason: 'more' })
    else if (drawn < 0.98) await scope.setLimits({ tokens: dice.whole(2_000, 40_000) }, { by: 'the agent' })
    return 'go on'
  } catch (error) {
    return afterError(stage, process, error)
  }
}

async function afterError(stage: Stage, process: SimulatedProcess, error: unknown): Promise<StepEnd> {
  const code = stage.product.codeOf(error)
  if (code === 'scope_closed') return 'ended'
  // Paused by a person, who may also lift it again.
  if (code === 'scope_paused') await sleep(process, stage.world.dice.whole(300, 2_000))
  if (!isExpected(stage, error)) fail(stage, error as Error)
  if (isStoreError(stage, error)) await sleep(process, stage.world.dice.whole(50, 500))
  return 'go on'
}

/** Several calls at the same time, as agents make them. */
async function callTogether(
  stage: Stage,
  process: SimulatedProcess,
  scope: Scope,
  talk: Conversation,
): Promise<StepEnd> {
  const model = (): Promise<CallOutcome<unknown>> => callModel(stage, process, scope)
  const ends = await Promise.allSettled([model(), model(), callTool(stage, process, scope, talk)])
  for (const end of ends) {
    const isAnswer = end.status === 'fulfilled'
    const next = isAnswer
      ? await answered(stage, process, scope, talk, end.value)
      : await afterError(stage, process, end.reason)
    if (next !== 'go on') return next
  }
  return 'go on'
}

/** What an agent does with a refusal: it stands where the limit pauses, and else makes its closing call. */
async function answered(
  stage: Stage,
  process: SimulatedProcess,
  scope: Scope,
  talk: Conversation,
  outcome: CallOutcome<unknown>,
): Promise<StepEnd> {
  if (outcome.kind !== 'refused') return 'go on'
  if (outcome.breach.action === 'pause') return standAtPause(stage, process, scope, talk)
  if (stage.world.dice.chance(0.8)) {
    try {
      await wrapUp(stage, process, scope)
    } catch (error) {
      await afterError(stage, process, error)
    }
  }
  return 'ended'
}

async function openGroup(stage: Stage, process: SimulatedProcess, scope: Scope, talk: Conversation): Promise<void> {
  const { dice } = stage.world
  const specs = [1, 2, 3].map(() => {
    const id = stage.nextId('member')
    return { id, name: id, limits: runLimits(dice), wrapUp: dice.chance(0.3), waitMs: 2_000 }
  })
  const ids = specs.map(({ id }) => id)
  const children = await openFirmly(stage, process, ids, () => scope.openAll(specs))
  const work = { depth: talk.depth + 1, mark: '' }
  await Promise.all(children.map((child) => runAgent(stage, process, child, { ...work, left: dice.whole(1, 3) })))
}
