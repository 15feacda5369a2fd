import { createMemoryStore } from '../../src/stores/memory/index.ts'
import { nanosecondsPerCall, type Work } from '../measure.ts'
import { openChain } from '../open-chain.ts'
import { printTable } from '../table.ts'
import { storeSubject } from './store-subject.ts'

const TIMES = 30_000
const METERS = ['toolCalls', 'modelCalls', 'tokens', 'cost'] as const

/** What a call costs on longer and longer paths. Printed, not judged. */
export async function growWithDepth(): Promise<void> {
  const depths = [1, 2, 4, 8, 16]
  const measured = await nanosecondsPerCall(await Promise.all(depths.map(storeSubject)), TIMES)
  const rows = depths.map((depth, index) => {
    return [`${depth} scopes`, measured[index]!.toFixed(0), `${(measured[index]! / measured[0]!).toFixed(2)}×`]
  })
  printTable('The store: cost grows with depth (printed, not judged)', ['path', 'ns', 'of 1 scope'], rows)
}

/** What a call costs beside many scopes that it does not touch. Printed, not judged. */
export async function ignoreWidth(): Promise<void> {
  const widths = [0, 1_000, 100_000]
  const measured = await nanosecondsPerCall(await Promise.all(widths.map(besideOthers)), TIMES)
  const rows = widths.map((others, index) => {
    return [`${others} other scopes`, measured[index]!.toFixed(0), `${(measured[index]! / measured[0]!).toFixed(2)}×`]
  })
  printTable('… and not with the number of scopes (printed, not judged)', ['beside the path', 'ns', 'of none'], rows)
}

async function besideOthers(others: number): Promise<Work> {
  const store = createMemoryStore()
  const scopeId = await openChain(store, 5)
  await openChildren(store, others)
  let call = 0
  return async (times) => {
    for (let time = 0; time < times; time++) {
      const reservationId = `call-${call++}`
      await store.reserve({ reservationId, scopeId, amounts: { tokens: 1_200 }, holder: 'bench', atMs: 1 })
      await store.settle({ reservationId, actual: { tokens: 1_000 }, atMs: 1 })
    }
  }
}

/** What an open scope weighs in memory. Printed, not judged. */
export async function weighScopes(): Promise<void> {
  const count = 100_000
  const rows: string[][] = []
  for (const [name, limits] of [
    ['no limits', 0],
    ['4 limits', 4],
  ] as const) {
    const store = createMemoryStore()
    await openChain(store, 1)
    const before = heapUsed()
    await openChildren(store, count, limits)
    rows.push([name, ((heapUsed() - before) / count).toFixed(0)])
    await store.read({ scopeId: 'scope-0', atMs: 1 })
  }
  const title = `Memory of ${count.toLocaleString('en-US')} open scopes (printed, not judged)`
  printTable(title, ['each with', 'bytes per scope'], rows)
}

async function openChildren(store: ReturnType<typeof createMemoryStore>, count: number, limits = 0): Promise<void> {
  for (let child = 0; child < count; child++) {
    const id = `child-${child}`
    const own = METERS.slice(0, limits).map((meter) => {
      const source = { layer: 'call', written: meter } as const
      return { meter, max: 1_000, per: null, timeZone: 'UTC', action: 'terminate', nearing: [0.8], source } as const
    })
    const scope = { id, name: id, kind: 'agent', owner: 'bench', limits: own } as const
    await store.open({ parentId: 'scope-0', scopes: [scope], atMs: 1 })
  }
}

function heapUsed(): number {
  if (globalThis.gc === undefined) throw new Error('Run with --expose-gc, as `npm run bench:core` does.')
  globalThis.gc()
  return process.memoryUsage().heapUsed
}
