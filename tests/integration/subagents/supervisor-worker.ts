import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createGovernor } from '../../../src/governor/index.ts'
import { createRunner, type RunProgress } from '../../../src/runner/index.ts'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import { foundAgents, modelThat } from '../groups/found-agents.ts'
import { agentFrom } from '../runner/agent-from.ts'
import { scriptedModels } from '../runner/scripted-models.ts'

// A process that runs a supervisor of five, or goes on with it: `supervisor-worker.ts HOME FOLDER SHAPE START VICTIM MOMENT`.
// Each of the five appends a line to done.log with a command and then answers; each of their requests is a line in
// asked.log. With a victim ("all", or one of 1 to 5) the process stands still at the moment that was asked for, or at the
// latest when the victims would answer, and tells so: then it is killed, and with it every victim.

const [home, workingFolder, shape, start, victim, moment] = process.argv.slice(2) as [
  string,
  string,
  'calls' | 'group' | 'background' | 'sequential',
  'run' | 'resume',
  string,
  string,
]
const PARTS = [1, 2, 3, 4, 5] as const
const store = createSqliteStore({ file: `${home}/ledger.db` })
const governor = createGovernor({ store })
const tell = (news: unknown): boolean => process.stdout.write(`${JSON.stringify(news)}\n`)
const isVictim = (part: string): boolean => victim === 'all' || victim === part
const answering = new Set<string>()
let seen = 0

function standStill(): never {
  tell({ kind: 'stands' })
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
}

/** Something has happened in the life of one of the five. */
function pass(part: string): void {
  if (isVictim(part) && ++seen === Number(moment)) standStill()
}

/** The last moment: every victim lives, and would answer now. */
function holdAnswer(part: string): boolean {
  if (!isVictim(part)) return false
  answering.add(part)
  if (victim !== 'all' || answering.size === PARTS.length) standStill()
  return true
}

const isDone = (part: string): boolean =>
  existsSync(`${workingFolder}/done.log`) &&
  readFileSync(`${workingFolder}/done.log`, 'utf8').split('\n').includes(`part ${part}`)

const worker = modelThat((_, { messages }) => {
  const [, part = ''] = /part (\d)/.exec(messages.find(({ role }) => role === 'user')?.content ?? '') ?? []
  appendFileSync(`${home}/asked.log`, `${part}\n`)
  pass(part)
  // After an interrupted command an agent is told to look: it is not done twice.
  if (!isDone(part)) return { toolCalls: [{ name: 'bash', arguments: { command: `echo part ${part} >> done.log` } }] }
  // While others still work towards the moment, this one has something else to do.
  return holdAnswer(part)
    ? { toolCalls: [{ name: 'glob', arguments: { pattern: `*${messages.length}*` } }] }
    : { text: `did part ${part}` }
})

const boss = modelThat((_, { messages }) => {
  const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
  const tasks = PARTS.map((part) => ({ agent: 'worker', task: `part ${part}` }))
  const subagent = (id: string, input: unknown) => ({ name: 'subagent', arguments: input as object, id })
  if (told.length === 0) {
    if (shape === 'group') return { toolCalls: [subagent('order', { tasks, concurrency: 5 })] }
    if (shape === 'sequential') return { toolCalls: [subagent('order', { tasks, concurrency: 1 })] }
    const more = shape === 'background' ? { async: true } : {}
    return { toolCalls: tasks.map((each, index) => subagent(`k${index + 1}`, { ...each, ...more })) }
  }
  if (shape === 'background' && told.length === PARTS.length) {
    return {
      toolCalls: PARTS.map((part) => subagent(`wait${part}`, { action: 'resume', id: `r.k${part}` })),
    }
  }
  return { text: told.join('\n') }
})

const runner = createRunner({
  governor,
  models: scriptedModels({ boss, worker }),
  taskFolder: `${home}/tasks`,
  env: { PATH: process.env.PATH },
  findAgents: foundAgents([
    agentFrom({ name: 'worker', model: 'worker', tools: ['bash', 'glob'], completionGuard: false, repeatGuard: false }),
  ]),
})

const options = {
  onProgress(progress: RunProgress) {
    const isOfChild = progress.kind === 'child' || progress.kind === 'child-ended'
    if (isOfChild) pass(/(\d)$/.exec(progress.id)?.[1] ?? '')
  },
}
const agent = agentFrom({ name: 'boss', model: 'boss', tools: ['subagent'], completionGuard: false })
const layers = [{ layer: 'call', limits: { tokens: '100k', toolCalls: 200, modelCalls: 200 } }] as const

try {
  const { status, output, error, children, usage } =
    start === 'resume'
      ? await runner.resume('r', options)
      : await runner.run({ id: 'r', agent, task: 'split it', workingFolder, layers }, options)
  const { modelCalls, toolCalls, spawns, tokens } = usage
  tell({
    kind: 'result',
    status,
    output,
    error,
    children: children.map((child) => [child.status, child.output]),
    settled: {
      modelCalls: modelCalls.settled,
      toolCalls: toolCalls.settled,
      spawns: spawns.settled,
      tokens: tokens.settled,
    },
  })
} catch (error) {
  tell({ kind: 'refused', message: String(error) })
}
await governor.close()
await store.dispose()
