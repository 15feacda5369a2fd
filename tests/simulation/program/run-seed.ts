import type { Product } from '../product.ts'
import { createProvider } from '../provider/provider.ts'
import { createWitness } from '../witness/witness.ts'
import type { SimulatedProcess } from '../world/process.ts'
import { demand } from '../world/violation.ts'
import { createWorld } from '../world/world.ts'
import { createProcess } from './create-process.ts'
import type { FaultKind } from './fault-kind.ts'
import { createFaults, drawFaults, FEWEST_FAULTS, faultsOf, strike } from './faults.ts'
import { heal } from './heal.ts'
import { teamLimits } from './limits.ts'
import { type Operator, operate } from './operator.ts'
import { fail, type Stage } from './stage.ts'
import type { OpenedStores, Stores } from './stores.ts'
import { watchProcesses } from './watch-processes.ts'
import { TEAM, work } from './worker.ts'

/** What a seed came to. */
export interface SeedResult {
  readonly seed: number
  readonly violation: Error | null
  readonly processes: number
  readonly calls: number
  readonly faults: ReadonlyMap<FaultKind, number>
  readonly events: number
  readonly hash: () => string
  readonly lines: () => readonly string[]
}

// Long before that a seed has made its calls.
const LONGEST_MS = 900_000
const FEWEST_CALLS = 100

/** Plays one seed from its first event to the end of its healing. */
export async function runSeed(product: Product, stores: Stores, seed: number): Promise<SeedResult> {
  const world = createWorld(seed)
  const { dice } = world
  const opened = await stores.begin(world, (process) => strike(stage, process, 'disk full'))
  const witness = createWitness(opened.observer)
  const target = dice.whole(100, 112)
  const faults = createFaults(dice, drawFaults(dice, target))
  const stage: Stage = {
    world,
    witness,
    product,
    provider: createProvider(world, witness, faults.nextFate, (error) => fail(stage, error)),
    processes: [],
    calls: 0,
    isHealing: false,
    loops: new Map(),
    left: new Map(),
    faults: new Map(),
    violation: null,
    onCall(process) {
      stage.calls++
      faults.onCall(stage, process, (dead) => start(stage, opened, nameOf(dead)))
    },
    nextId: (prefix) => `${prefix}-${++ids}`,
  }
  let ids = 0
  world.afterEach = () => witness.compare()
  const stopListening = listenForRejections((error) => fail(stage, error))
  try {
    const operator = createOperator(stage, opened)
    await world.run(LONGEST_MS, isDone(setUp(stage, operator)))
    const count = dice.whole(2, 4)
    for (let index = 0; index < count; index++) start(stage, opened, { host: `host${index % 2}`, name: `p${index}` })
    void operate(stage, operator)
    watchProcesses(stage)
    await world.run(
      LONGEST_MS,
      () => stage.violation !== null || (stage.calls >= target && faultsOf(stage) >= FEWEST_FAULTS),
    )
    demandBusy(stage)
    if (stage.violation === null) await heal(stage, operator)
    if (stage.violation === null) opened.verify()
  } catch (error) {
    fail(stage, error as Error)
  }
  await opened.end()
  stopListening()
  const { violation, calls } = stage
  const processes = new Set(stage.processes.map(({ name }) => name)).size
  const { trace } = world
  return {
    seed,
    violation,
    processes,
    calls,
    faults: stage.faults,
    events: world.events,
    hash: trace.hash,
    lines: trace.lines,
  }
}

/** A seed that does too little proves too little. */
function demandBusy(stage: Stage): void {
  if (stage.violation !== null) return
  const isBusy = stage.calls >= FEWEST_CALLS && faultsOf(stage) >= FEWEST_FAULTS
  demand(isBusy, 'a busy seed', () => `only ${stage.calls} calls and ${faultsOf(stage)} faults came about`)
}

/** The operator writes the budget before anybody works. */
async function setUp(stage: Stage, operator: Operator): Promise<void> {
  await operator.governor.budget(TEAM, { limits: teamLimits(stage.world.dice) })
}

function isDone(task: Promise<unknown>): () => boolean {
  let done = false
  let failed: unknown = null
  task.then(
    () => {
      done = true
    },
    (error: unknown) => {
      done = true
      failed = error
    },
  )
  return () => {
    if (failed !== null) throw failed
    return done
  }
}

/** An error that nobody handles would end a real process. */
function listenForRejections(hear: (error: Error) => void): () => void {
  const listener = (reason: unknown): void => hear(reason instanceof Error ? reason : new Error(String(reason)))
  process.on('unhandledRejection', listener)
  return () => void process.off('unhandledRejection', listener)
}

function nameOf({ host, name }: SimulatedProcess): { readonly host: string; readonly name: string } {
  return { host, name }
}

/** Starts a process: its store, its governor, and the loops that work in it. */
function start(stage: Stage, stores: OpenedStores, who: { readonly host: string; readonly name: string }): void {
  const process = createProcess(stage, stores, who)
  stage.processes.push(process)
  stage.world.trace.note(process.name, 'starts', process.holder)
  const workers = stage.world.dice.whole(1, 3)
  for (let index = 0; index < workers; index++) void work(stage, process, `worker${index}`)
}

function createOperator(stage: Stage, stores: OpenedStores): Operator {
  return createProcess(stage, stores, { host: 'host0', name: 'operator' })
}
