import type { Scope } from '../../../src/governor/index.ts'
import { type SimulatedProcess, sleep } from '../world/process.ts'
import { startRun } from './agent.ts'
import { firmly } from './expected-errors.ts'
import { fail, type Stage } from './stage.ts'
import { takeUp } from './take-up.ts'

export const TEAM = 'team:core'

/** A loop of a process that starts one run after the other, or takes up what others have left. */
export async function work(stage: Stage, process: SimulatedProcess, name: string): Promise<void> {
  const { dice } = stage.world
  process.tasks.add(name)
  try {
    const team = await teamOf(stage, process)
    while (team !== null && !stage.isHealing) {
      if (dice.chance(0.35)) await takeUp(stage, process)
      else await startRun(stage, process, team)
      await sleep(process, dice.whole(20, 800))
    }
  } catch (error) {
    fail(stage, error as Error)
  }
  process.tasks.delete(name)
}

/** The budget that everybody shares, as this process sees it. */
function teamOf(stage: Stage, process: SimulatedProcess): Promise<Scope | null> {
  return firmly(stage, process, () => process.governor.budget(TEAM))
}
