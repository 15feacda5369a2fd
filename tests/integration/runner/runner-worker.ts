import { createGovernor } from '../../../src/governor/index.ts'
import { createRunner } from '../../../src/runner/index.ts'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { agentFrom } from './agent-from.ts'
import { scriptedModels } from './scripted-models.ts'

// A process that runs an agent, or goes on with it: `runner-worker.ts HOME WORKING-FOLDER ORDER`. The agent runs a, b and
// c, each once, and each leaves a line in ran.log. The order says where it stands still, and tells so, to be killed there:
// in the second model call (model), in the tool of b (tool), between the result of b and what follows (between), or after
// its last answer (end). `pause` ends paused after a; `go-on` resumes with more and stands still after b; `resume` resumes.

const [home, workingFolder, order] = process.argv.slice(2) as [string, string, string]
const store = createSqliteStore({ file: `${home}/ledger.db` })
const governor = createGovernor({ store })
const tell = (news: unknown): boolean => process.stdout.write(`${JSON.stringify(news)}\n`)

/** Nothing of this process goes on. */
function standStill(): never {
  tell({ kind: 'stands' })
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
}

const commandOf = (name: string): string =>
  name === 'b' && order === 'tool'
    ? 'echo b >> ran.log; touch begun; sleep 60; echo ran b'
    : `echo ${name} >> ran.log; echo ran ${name}`

let calls = 0
const model = createScriptedLanguageModel(function* (request) {
  for (;;) {
    if (++calls === 2 && order === 'model') standStill()
    const isDone = (id: string): boolean =>
      request.messages.some(
        (each) => each.role === 'tool' && each.toolCallId === id && /^ran|^Interrupted/m.test(each.content),
      )
    const next = ['a', 'b', 'c'].find((each) => !isDone(each))
    const call = { id: next ?? '', name: 'bash', arguments: { command: commandOf(next ?? '') } }
    request = yield next === undefined ? { text: 'All done.' } : { text: `Now ${next}.`, toolCalls: [call] }
  }
})

const runner = createRunner({
  governor,
  models: scriptedModels({ first: model }),
  taskFolder: `${home}/tasks`,
  env: { PATH: process.env.PATH },
  findAgents: () => {
    throw new Error('not asked for')
  },
})

let results = order === 'go-on' ? 1 : 0
const options = {
  onProgress: ({ kind, ...rest }: { readonly kind: string; readonly text?: string }) => {
    if (kind === 'tool-call' && 'summary' in rest) tell({ kind: 'tool-call' })
    if (kind === 'tool-result' && ++results === 2 && (order === 'between' || order === 'go-on')) standStill()
    if (kind === 'text' && rest.text === 'All done.' && order === 'end') standStill()
  },
}

try {
  const limits = order === 'pause' ? { limits: { toolCalls: 1 }, onLimit: 'pause' } : { limits: { toolCalls: 5 } }
  const task = { agent: agentFrom({}, limits), task: 'Run all three.', workingFolder, id: 'job-1' }
  const result = await act()

  function act() {
    if (order === 'resume') return runner.resume('job-1', options)
    if (order === 'go-on') return runner.resume('job-1', { ...options, add: { turns: 4 } })
    return runner.run(task, options)
  }

  const { status, output, usage } = result
  tell({ kind: 'result', status, output, toolCalls: usage.toolCalls.settled, requests: model.book.length })
} catch (error) {
  tell({ kind: 'refused', code: (error as { readonly code?: string }).code, message: (error as Error).message })
}
await governor.close()
await store.dispose()
