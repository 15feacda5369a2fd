import type { Product } from '../product.ts'
import { createFaultyStore } from '../world/faulty-store.ts'
import { createProcessClock, type SimulatedProcess } from '../world/process.ts'
import { demand } from '../world/violation.ts'
import { strike } from './faults.ts'
import { fail, living, type Stage } from './stage.ts'
import type { OpenedStores } from './stores.ts'

/** A process with the product in it, told apart by its holder from all others and from itself before a restart. */
export function createProcess(
  stage: Stage,
  stores: OpenedStores,
  { host, name }: { readonly host: string; readonly name: string },
): SimulatedProcess {
  const { world, product, witness } = stage
  const gate = { isDead: false, stalledUntilMs: 0, wallOffsetMs: 0 }
  const faults = { outages: 0, lostAnswers: 0, fullDisk: 0, slow: 0 }
  const process = Object.assign(gate, {
    name,
    host,
    holder: '',
    clock: createProcessClock(world, gate),
    storeFaults: faults,
    struck: new Set(),
    troubledUntilMs: 0,
    pendingCalls: 0,
    tasks: new Set<string>(),
  }) as SimulatedProcess
  const store = createFaultyStore({
    world,
    process,
    faults,
    inner: stores.open(process),
    hasDisk: stores.hasDisk,
    saw(applied) {
      try {
        if (applied.name === 'assume') demandDead(stage, applied.request.holder)
        witness.saw(applied)
      } catch (error) {
        fail(stage, error as Error)
      }
    },
    hit: (kind) => strike(stage, process, kind),
    storeError: product.storeError,
  })
  process.store = store
  process.governor = product.createGovernor({
    store,
    clock: process.clock,
    createId: () => stage.nextId(name),
    holder() {
      process.holder = stage.nextId(`${host}/${name}`)
      return process.holder
    },
    prices: product.prices,
    waitMs: 8_000,
    isHolderAlive: (other: string) => isAlive(stage, host, other),
  } as Parameters<Product['createGovernor']>[0])
  return process
}

/** What a process that lives has in flight is nobody's to assume, unless it stands still. */
function demandDead(stage: Stage, holder: string): void {
  const isAlive = living(stage).some((each) => each.holder === holder && each.stalledUntilMs <= stage.world.nowMs)
  demand(!isAlive, 'assumed once', () => `${holder} lives`)
}

/** A process sees only who is alive on its own host. */
function isAlive(stage: Stage, host: string, holder: string): boolean | null {
  const other = stage.processes.find((each) => each.holder === holder)
  if (other === undefined || other.host !== host) return null
  return !other.isDead
}
