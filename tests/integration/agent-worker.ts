import { jsonSchema, ToolLoopAgent, tool } from 'ai'
import { governed, resumeGoverned, runGoverned } from '../../src/adapters/ai-sdk/index.ts'
import { createGovernor } from '../../src/governor/index.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { createScriptedLanguageModel } from '../../src/testing/ai-sdk/index.ts'

// A process that runs an agent on a ledger until a limit of two tool calls, or goes on with it, tells what came of it,
// and then lives until it is killed: `agent-worker.ts FILE pause|ask|resume`. The agent reads a, b and c, each once: its
// model asks for whatever the conversation has no text of yet.

const [file, order] = process.argv.slice(2) as [string, 'pause' | 'ask' | 'resume']
const store = createSqliteStore({ file })
const governor = createGovernor({ store })
const tell = (news: unknown): boolean => process.stdout.write(`${JSON.stringify(news)}\n`)
setInterval(() => {}, 60_000)

const ran: string[] = []
const read = tool({
  inputSchema: jsonSchema<{ path: string }>({ type: 'object', properties: { path: { type: 'string' } } }),
  execute: async ({ path }) => {
    ran.push(path)
    return `text of ${path}`
  },
})
const model = createScriptedLanguageModel(function* (request) {
  for (;;) {
    const said = JSON.stringify(request.messages)
    const path = ['a', 'b', 'c'].find((each) => !said.includes(`text of ${each}`))
    request = yield path === undefined ? { text: 'All read.' } : { toolCalls: [{ name: 'read', arguments: { path } }] }
  }
})

if (order === 'resume') {
  const scope = (await governor.find('job-1'))!
  await scope.setLimits({ toolCalls: 5 })
  const result = await resumeGoverned(scope, new ToolLoopAgent(governed(scope, { model, tools: { read } })))
  tell({ kind: result.status, output: result.output, ran, toolCalls: result.usage.toolCalls.settled })
} else {
  const scope = await governor.open({ name: 'run', id: 'job-1', limits: { toolCalls: 2 }, onLimit: order })
  governor.on('agent_paused', async () => {
    if (order !== 'ask') return
    // It is told a moment before the store has it.
    while ((await store.document({ scopeId: scope.id })) === null);
    tell({ kind: 'asking', ran })
  })
  const { status } = await runGoverned(scope, new ToolLoopAgent(governed(scope, { model, tools: { read } })), 'Read.')
  tell({ kind: status, ran })
}
