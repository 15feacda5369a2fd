import type { Scope } from '../../../src/governor/index.ts'
import type { Product } from '../product.ts'
import type { CallOfModel, Provider } from '../provider/provider.ts'
import type { Witness } from '../witness/witness.ts'
import type { SimulatedProcess } from '../world/process.ts'
import type { World } from '../world/world.ts'
import type { Conversation } from './agent.ts'
import type { FaultKind } from './fault-kind.ts'

/** Everything that a seed's agents, operator and faults act on. */
export interface Stage {
  readonly world: World
  readonly witness: Witness
  readonly provider: Provider
  readonly product: Product
  readonly processes: SimulatedProcess[]
  /** How many calls were let in so far. */
  calls: number
  /** Faults are over, and everything comes to its end. */
  isHealing: boolean
  /** The loops that run, by their scope. */
  readonly loops: Map<string, Loop>
  /** Scopes that their loop has left paused, with what it knew. */
  readonly left: Map<string, Conversation>
  readonly faults: Map<FaultKind, number>
  /** The first thing that went wrong ends the seed. */
  violation: Error | null
  /** A call was let in: faults that wait for its number happen. */
  onCall(process: SimulatedProcess): void
  nextId(prefix: string): string
}

export type ModelCallOfAgent = CallOfModel

/** A loop of an agent, in the process that runs it. */
export interface Loop {
  readonly process: SimulatedProcess
  readonly scope: Scope
}

/** Whether a loop of a living process runs the scope. */
export function isRun(stage: Stage, scopeId: string): boolean {
  return stage.loops.get(scopeId)?.process.isDead === false
}

/** Notes the first violation. */
export function fail(stage: Stage, error: Error): void {
  stage.violation ??= error
}

/** Notes what goes wrong here, also where whoever called takes every error for its own. */
export function orFail(stage: Stage, act: () => void): void {
  try {
    act()
  } catch (error) {
    fail(stage, error as Error)
    throw error
  }
}

/** The processes that run, stalled ones too. */
export function living(stage: Stage): readonly SimulatedProcess[] {
  return stage.processes.filter(({ isDead }) => !isDead)
}
