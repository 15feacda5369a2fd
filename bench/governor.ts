import { createGovernor, type Governor, type Scope } from '../src/governor/index.ts'
import { createPriceBook, parsePrices } from '../src/pricing/index.ts'
import { nanosecondsPerCall } from './measure.ts'
import { printTable } from './table.ts'

const COUNTS = [1_000, 5_000, 10_000]
const CALLS = 3_000
const LIMITS = { toolCalls: 25, tokens: '200k', cost: 1, time: '10m' } as const

const AMPLE = { tokens: 999_999_999_999, cost: 999_999, modelCalls: 999_999_999 } as const

const prices = createPriceBook({ overrides: parsePrices({ 'bench-model': { input: 3, output: 15 } }) })
const call = { model: 'bench-model', inputTokens: 2_000, maxOutputTokens: 1_000 }
const answer = { value: null, usage: { inputTokens: 2_000, outputTokens: 100 } }

async function heapBytes(): Promise<number> {
  // What the last run left behind is only free once its promises are gone.
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    globalThis.gc?.()
  }
  return process.memoryUsage().heapUsed
}

async function openAgents(governor: Governor, count: number): Promise<readonly Scope[]> {
  const limits = { cost: 10_000, concurrency: count, spawns: count }
  const run = await governor.open({ name: 'run', limits })
  return Promise.all(Array.from({ length: count }, (_, index) => run.open({ name: `agent-${index}`, limits: LIMITS })))
}

/** One run with so many agents open at once, of which each makes a tool call and a model call. */
async function measureAgents(count: number): Promise<readonly string[]> {
  const governor = createGovernor({ prices })
  const before = await heapBytes()
  const startedAt = performance.now()
  const agents = await openAgents(governor, count)
  const openedAt = performance.now()
  const bytes = (await heapBytes()) - before
  const workedFrom = performance.now()
  await Promise.all(
    agents.map(async (agent) => {
      await agent.callTool({ name: 'read' }, () => 'text')
      await agent.callModel(call, async () => answer)
    }),
  )
  const workedAt = performance.now()
  await governor.close()
  const closedAt = performance.now()
  const micros = (ms: number): string => ((ms * 1_000) / count).toFixed(1)
  const times = [openedAt - startedAt, workedAt - workedFrom, closedAt - workedAt]
  return [String(count), ...times.map(micros), (bytes / count / 1_024).toFixed(1)]
}

async function measureOverhead(): Promise<readonly (readonly string[])[]> {
  const governor = createGovernor({ prices })
  const bare = async () => answer
  const free = await governor.open({ name: 'free' })
  const run = await governor.open({ name: 'run', limits: AMPLE })
  const child = await run.open({ name: 'child', limits: { tokens: AMPLE.tokens, time: '10h' } })
  const grandchild = await child.open({ name: 'grandchild', limits: { cost: AMPLE.cost } })
  const repeat = (once: () => Promise<unknown>) => async (times: number) => {
    for (let time = 0; time < times; time++) await once()
  }
  const subjects: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['bare call', bare],
    ['callModel, no limits', () => free.callModel(call, bare)],
    ['callModel, 3 limits on 1 scope', () => run.callModel(call, bare)],
    ['callModel, 6 limits on 3 scopes', () => grandchild.callModel(call, bare)],
    ['callTool, 6 limits on 3 scopes', () => grandchild.callTool({ name: 'read' }, () => 'text')],
  ]
  const measured = await nanosecondsPerCall(
    subjects.map(([, once]) => repeat(once)),
    CALLS,
  )
  await governor.close()
  return subjects.map(([name], index) => [name, (measured[index]! / 1_000).toFixed(2)])
}

await measureAgents(1_000)
const agentRows: (readonly string[])[] = []
for (const count of COUNTS) agentRows.push(await measureAgents(count))
printTable(
  'Live agents under one run, per agent',
  ['agents', 'open µs', 'tool + model call µs', 'close µs', 'memory KiB'],
  agentRows,
)
printTable('Overhead around a call that does nothing', ['call', 'µs'], await measureOverhead())
