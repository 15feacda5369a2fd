// Many agents at once: npm run bench:runner. Groups of 50 and of 200 scripted agents on a SQLite ledger, in turns. What
// one agent takes of 200 is judged beside what one takes of 50, so that nothing grows faster than their number.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGovernor } from '../src/governor/index.ts'
import { createRunner, type GroupResult } from '../src/runner/index.ts'
import { createSqliteStore } from '../src/stores/sqlite/index.ts'
import { foundAgents, modelThat } from '../tests/integration/groups/found-agents.ts'
import { agentFrom } from '../tests/integration/runner/agent-from.ts'
import { scriptedModels } from '../tests/integration/runner/scripted-models.ts'
import { medianRatio } from './cpu-rounds.ts'
import { conclude, judge } from './judge.ts'
import { percentile } from './percentiles.ts'
import { printTable } from './table.ts'

const FEW = 50
const MANY = 200
const ROUNDS = 3
const MOST_GROWTH = 1.5
const TOKENS_PER_AGENT = 110
const AMPLE = 10_000_000
// Enough for a part of them only.
const SCARCE = 15_000

interface Measured {
  readonly result: GroupResult
  readonly cpuMs: number
  /** What is alive when the last agent is done, with every result. */
  readonly bytes: number
}

async function heapBytes(): Promise<number> {
  // What the last group left behind is only free once its promises are gone.
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    globalThis.gc?.()
  }
  return process.memoryUsage().heapUsed
}

/** One group with so many agents at once, on a ledger of its own. */
async function runAgents(folder: string, count: number, tokens: number): Promise<Measured> {
  const home = mkdtempSync(join(folder, 'home-'))
  const workingFolder = join(home, 'project')
  mkdirSync(workingFolder)
  const store = createSqliteStore({ file: join(home, 'ledger.db') })
  const governor = createGovernor({ store })
  const model = modelThat((asked) => ({ text: `did ${asked}` }))
  const runner = createRunner({
    governor,
    models: scriptedModels({ first: model }),
    taskFolder: join(home, 'tasks'),
    env: { PATH: process.env.PATH },
    findAgents: foundAgents([agentFrom({ name: 'a' })]),
  })
  const tasks = Array.from({ length: count }, (_, index) => ({ agent: 'a', task: `part ${index + 1}` }))
  const layers = [{ layer: 'call', limits: { tokens } }] as const
  const before = await heapBytes()
  let ended = 0
  let bytes = 0
  const cpu = process.cpuUsage()
  const result = await runner.parallel(
    { workingFolder, tasks, concurrency: count, layers },
    {
      onProgress: ({ kind }) => {
        if (kind !== 'ended' || ++ended < count) return
        globalThis.gc?.()
        bytes = process.memoryUsage().heapUsed - before
      },
    },
  )
  const { user, system } = process.cpuUsage(cpu)
  await governor.close()
  await store.dispose()
  rmSync(home, { recursive: true, force: true })
  return { result, cpuMs: (user + system) / 1_000, bytes }
}

/** How many agents have no answer of their own. */
function lostOf({ results }: GroupResult): number {
  return results.filter(({ output }, index) => output !== `did part ${index + 1}`).length
}

async function measure(folder: string): Promise<void> {
  await runAgents(folder, FEW, AMPLE)
  const [few, many]: [Measured[], Measured[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    few.push(await runAgents(folder, FEW, AMPLE))
    many.push(await runAgents(folder, MANY, AMPLE))
  }
  const perAgent = (rounds: readonly Measured[], count: number) => {
    return { cpuMs: rounds.map(({ cpuMs }) => cpuMs / count), bytes: rounds.map(({ bytes }) => bytes / count) }
  }
  const [ofFew, ofMany] = [perAgent(few, FEW), perAgent(many, MANY)]
  const row = (count: number, { cpuMs, bytes }: typeof ofFew): readonly string[] => {
    return [String(count), percentile(cpuMs, 50).toFixed(1), (percentile(bytes, 50) / 1_024).toFixed(0)]
  }
  printTable(
    `Agents at once in one group, per agent, medians of ${ROUNDS}`,
    ['agents', 'CPU ms', 'memory KiB'],
    [row(FEW, ofFew), row(MANY, ofMany)],
  )
  const { result: scarce } = await runAgents(folder, MANY, SCARCE)
  const { settled, overrun } = scarce.usage.tokens
  console.log(`\nOn a pool of ${SCARCE} tokens: ${scarce.counts}, ${settled} tokens spent.`)
  const all = [...few, ...many].map(({ result }) => result)
  const lost = all.reduce((sum, result) => sum + lostOf(result), 0)
  const miscounted = all.reduce(
    (sum, { results, usage }) => sum + Math.abs(usage.tokens.settled - TOKENS_PER_AGENT * results.length),
    0,
  )
  const unexplained = scarce.results.filter(({ output, error }, index) => {
    return output !== `did part ${index + 1}` && error === null
  }).length
  const started = all.reduce((sum, { results }) => sum + results.length, 0)
  conclude(
    [
      {
        sentence: (times: string) => `an agent of ${MANY} takes ${times} the CPU of one of ${FEW}`,
        value: medianRatio(ofMany.cpuMs, ofFew.cpuMs),
        atMost: MOST_GROWTH,
      },
      {
        sentence: (times: string) => `an agent of ${MANY} takes ${times} the memory of one of ${FEW}`,
        value: medianRatio(ofMany.bytes, ofFew.bytes),
        atMost: MOST_GROWTH,
      },
      { sentence: (figure: string) => `of ${started} answers ${figure} are lost`, value: lost, unit: '', atMost: 0 },
      { sentence: (figure: string) => `${figure} tokens are counted wrong`, value: miscounted, unit: '', atMost: 0 },
      {
        sentence: (figure: string) => `${figure} tokens are spent over the pool of ${SCARCE}`,
        value: Math.max(overrun, settled - SCARCE),
        unit: '',
        atMost: 0,
      },
      {
        sentence: (figure: string) => `${figure} agents without an answer do not say why`,
        value: unexplained,
        unit: '',
        atMost: 0,
      },
    ].map(judge),
  )
}

const folder = mkdtempSync(join(tmpdir(), 'stint-bench-runner-'))
try {
  await measure(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
