import { createMemoryStore } from '../src/stores/memory/index.ts'
import { nanosecondsPerCall } from './measure.ts'
import {
  handWrittenSubject,
  llmBudgetSubject,
  openChain,
  rateLimiterConsumeSubject,
  rateLimiterSubject,
  type Subject,
  stintSubject,
} from './subjects.ts'
import { printTable } from './table.ts'

const TIMES = 60_000

async function compareWithPeers(): Promise<boolean> {
  const subjects: readonly Compared[] = [
    { name: 'stint, memory store', work: 'reserve + settle, 5 scopes × 4 meters', subject: await stintSubject(5) },
    {
      name: 'rate-limiter-flexible',
      work: 'consume + reward, 4 levels × 1 counter',
      subject: rateLimiterSubject(4),
      isPeer: true,
    },
    { name: 'llm-budget', work: 'reserve + settle, 1 level × 3 counters', subject: llmBudgetSubject(), isPeer: true },
    { name: '(rate-limiter-flexible)', work: 'consume alone, 4 levels', subject: rateLimiterConsumeSubject(4) },
    { name: '(sums written by hand)', work: '5 × 4, no ids, no records', subject: handWrittenSubject(5) },
  ]
  const measured = await nanosecondsPerCall(
    subjects.map(({ subject }) => subject),
    TIMES,
  )
  const own = measured[0]!
  const rows = subjects.map(({ name, work, isPeer }, index) => {
    const judged = isPeer !== true ? '' : measured[index]! > own ? 'slower than stint' : 'FASTER than stint'
    return [name, work, measured[index]!.toFixed(0), `${(measured[index]! / own).toFixed(2)}×`, judged]
  })
  printTable('One call, in one run; in brackets: printed, not judged', ['', 'what is done', 'ns', 'of stint', ''], rows)
  return subjects.every(({ isPeer }, index) => isPeer !== true || measured[index]! > own)
}

interface Compared {
  readonly name: string
  readonly work: string
  readonly subject: Subject
  readonly isPeer?: boolean
}

async function growWithDepth(): Promise<void> {
  const depths = [1, 2, 4, 8, 16]
  const measured = await nanosecondsPerCall(await Promise.all(depths.map(stintSubject)), TIMES / 2)
  const rows = depths.map((depth, index) => {
    return [`${depth} scopes`, measured[index]!.toFixed(0), `${(measured[index]! / measured[0]!).toFixed(2)}×`]
  })
  printTable('Cost grows with depth', ['path', 'ns', 'of 1 scope'], rows)
}

async function ignoreWidth(): Promise<void> {
  const widths = [0, 1_000, 100_000]
  const measured = await nanosecondsPerCall(await Promise.all(widths.map(besideOthers)), TIMES / 2)
  const rows = widths.map((others, index) => {
    return [`${others} other scopes`, measured[index]!.toFixed(0), `${(measured[index]! / measured[0]!).toFixed(2)}×`]
  })
  printTable('… and not with the number of scopes', ['beside the path', 'ns', 'of none'], rows)
}

async function besideOthers(others: number): Promise<Subject> {
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

async function weighScopes(): Promise<void> {
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
  printTable(`Memory of ${count.toLocaleString('en-US')} open scopes`, ['each with', 'bytes per scope'], rows)
}

const METERS = ['toolCalls', 'modelCalls', 'tokens', 'cost'] as const

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

const isFasterThanPeers = await compareWithPeers()
await growWithDepth()
await ignoreWidth()
await weighScopes()
console.log(isFasterThanPeers ? '\nFaster than both peers.' : '\nNOT faster than both peers.')
process.exitCode = isFasterThanPeers ? 0 : 1
