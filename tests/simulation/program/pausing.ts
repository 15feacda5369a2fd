import type { Scope } from '../../../src/governor/index.ts'
import { type SimulatedProcess, sleep } from '../world/process.ts'
import { demand } from '../world/violation.ts'
import type { Conversation } from './agent.ts'
import { firmly } from './expected-errors.ts'
import { orFail, type Stage } from './stage.ts'
import type { StepEnd } from './step.ts'

/** A limit has paused the scope: the agent saves what it knows, and waits for a while or walks away. */
export async function standAtPause(
  stage: Stage,
  process: SimulatedProcess,
  scope: Scope,
  talk: Conversation,
): Promise<StepEnd> {
  const { dice } = stage.world
  talk.mark = stage.nextId('mark')
  await firmly(stage, process, () => scope.pause({ conversation: { ...talk } }))
  const patience = dice.chance(0.5) ? 0 : 6
  for (let look = 0; look < patience; look++) {
    await sleep(process, dice.whole(400, 1_500))
    if (scope.status() !== 'paused') return 'go on'
  }
  return leave(stage, scope, talk)
}

/** The agent pauses itself, and goes on by itself or leaves it to others. */
export async function pauseAndGoOn(
  stage: Stage,
  process: SimulatedProcess,
  scope: Scope,
  talk: Conversation,
): Promise<StepEnd> {
  const { dice } = stage.world
  talk.mark = stage.nextId('mark')
  const seen = stage.witness.scopes.get(scope.id)!
  const { resumes } = seen
  await scope.pause({ conversation: { ...talk } })
  await sleep(process, dice.whole(100, 3_000))
  if (dice.chance(0.5)) return leave(stage, scope, talk)
  // Where somebody else has lifted this pause, it may stand at another one, which saved nothing.
  const isOwnPause = seen.resumes === resumes
  const saved = (await scope.resume()) as Conversation | null
  orFail(stage, () => {
    demand(saved?.mark === talk.mark || (saved === null && !isOwnPause), 'resumed once', () => {
      return `${scope.id} saved ${talk.mark} and was given ${saved?.mark} back`
    })
  })
  return 'go on'
}

/** Whoever finds it may take it up: the same process, or another one. */
function leave(stage: Stage, scope: Scope, talk: Conversation): StepEnd {
  stage.left.set(scope.id, talk)
  return 'left'
}
