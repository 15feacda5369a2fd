import { appendFileSync } from 'node:fs'
import { createGovernor } from '../../../src/governor/index.ts'
import { createRunner } from '../../../src/runner/index.ts'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import { agentFrom } from '../runner/agent-from.ts'
import { scriptedModels } from '../runner/scripted-models.ts'
import { foundAgents, modelThat } from './found-agents.ts'

// A process that runs a group, or goes on with it: `group-worker.ts HOME WORKING-FOLDER MODE MOMENT`. Every agent calls
// a tool and then answers with its task; each request is a line in asked.log. MOMENT says where the process stands still
// and tells so, to be killed there: `call-N` in the Nth request, `ended-N` when the Nth agent is done, `told-N` at the
// Nth thing that is told. `none` runs to the end, `resume` goes on with what is there.

const [home, workingFolder, mode, moment] = process.argv.slice(2) as [string, string, string, string]
const store = createSqliteStore({ file: `${home}/ledger.db` })
const governor = createGovernor({ store })
const tell = (news: unknown): boolean => process.stdout.write(`${JSON.stringify(news)}\n`)
const [what, at] = moment.split('-')
const seen = { call: 0, ended: 0, told: 0 }

/** Nothing of this process goes on from the moment that it is to stand still at. */
function pass(kind: keyof typeof seen): void {
  if (what !== kind || ++seen[kind] !== Number(at)) return
  tell({ kind: 'stands' })
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
}

const model = modelThat((_, { messages }) => {
  const task = messages.find(({ role }) => role === 'user')?.content ?? ''
  appendFileSync(`${home}/asked.log`, `${task.split('\n')[0]}\n`)
  pass('call')
  if (!messages.some(({ role }) => role === 'tool'))
    return { toolCalls: [{ name: 'glob', arguments: { pattern: '*' } }] }
  return { text: task.startsWith('list') ? JSON.stringify(['x', 'y', 'z', 'u', 'v', 'w']) : `did ${task}` }
})

const runner = createRunner({
  governor,
  models: scriptedModels({ first: model }),
  taskFolder: `${home}/tasks`,
  env: { PATH: process.env.PATH },
  findAgents: foundAgents([agentFrom({ name: 'a' })]),
})

const options = {
  onProgress: ({ kind }: { readonly kind: string }) => {
    if (kind === 'ended') pass('ended')
    pass('told')
  },
}

function act() {
  if (moment === 'resume') return runner.resumeGroup('g', options)
  const common = {
    workingFolder,
    id: 'g',
    concurrency: 5,
    layers: [{ layer: 'call', limits: { modelCalls: 1_000 } }],
  } as const
  if (mode === 'parallel') {
    const tasks = Array.from({ length: 20 }, (_, index) => ({ agent: 'a', task: `part ${index + 1}` }))
    return runner.parallel({ ...common, tasks }, options)
  }
  const chain = {
    name: 'chain',
    steps: [
      { agent: 'a', task: 'list {task}', as: 'list' },
      {
        expand: { from: { output: 'list' } },
        parallel: { agent: 'a', task: 'item {item}' },
        collect: { as: 'all' },
      },
      { agent: 'a', task: 'end with {outputs.list}' },
    ],
  }
  return runner.chain({ ...common, chain, task: 'it' }, options)
}

try {
  const { status, counts, results, usage } = await act()
  const outputs = results.map(({ output }) => output)
  const { modelCalls, toolCalls, spawns } = usage
  const settled = { modelCalls: modelCalls.settled, toolCalls: toolCalls.settled, spawns: spawns.settled }
  tell({ kind: 'result', status, counts, outputs, settled })
} catch (error) {
  tell({ kind: 'refused', code: (error as { readonly code?: string }).code, message: (error as Error).message })
}
await governor.close()
await store.dispose()
