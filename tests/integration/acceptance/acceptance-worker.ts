import { basename } from 'node:path'
import type { AcceptanceInput } from '../../../src/agents/index.ts'
import { createGovernor } from '../../../src/governor/index.ts'
import { createRunner } from '../../../src/runner/index.ts'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { foundAgents } from '../groups/found-agents.ts'
import { agentFrom } from '../runner/agent-from.ts'
import { scriptedModels } from '../runner/scripted-models.ts'

// A process that runs an agent with a contract, or goes on with it: `acceptance-worker.ts HOME WORKING-FOLDER ORDER`.
// `hang`: its command hangs until it is killed. `stand`: it stands still in its first finalization turn. `review`: its
// reviewer stands still. `resume` and `review-resume` go on.

const [home, workingFolder, order] = process.argv.slice(2) as [string, string, string]
// Not the same in two tests: a run ends what processes of its id have left behind.
const id = `job-${basename(home)}`
const store = createSqliteStore({ file: `${home}/ledger.db` })
const governor = createGovernor({ store })
const tell = (news: unknown): boolean => process.stdout.write(`${JSON.stringify(news)}\n`)

function standStill(): never {
  tell({ kind: 'stands' })
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
}

const model = createScriptedLanguageModel(function* (request) {
  for (;;) {
    const turn = request.messages.filter(({ role }) => role === 'user').length
    if (turn === 2 && order === 'stand') standStill()
    request = yield { text: `Done ${turn}.` }
  }
})
const judge = createScriptedLanguageModel(function* () {
  for (;;) {
    if (order === 'review') standStill()
    yield { text: '{ "verdict": "accepted", "findings": [] }' }
  }
})

const contracts: Readonly<Record<string, AcceptanceInput>> = {
  hang: {
    verify: [{ id: 'tests', command: 'echo ran >> ran.log; test -f fixed && exit 0; echo $$ > pid; sleep 600' }],
  },
  stand: { verify: [{ id: 'tests', command: 'echo ran >> ran.log; exit 1' }], maxFinalizationTurns: 2 },
  review: { review: {} },
}

const reviewer = agentFrom({ name: 'reviewer', model: 'judge', tools: [] })
const runner = createRunner({
  governor,
  models: scriptedModels({ first: model, judge }),
  taskFolder: `${home}/tasks`,
  env: { PATH: process.env.PATH },
  findAgents: foundAgents([reviewer]),
})

try {
  const contract = contracts[order]
  const agent = agentFrom({ completionGuard: false })
  const result =
    contract === undefined
      ? await runner.resume(id)
      : await runner.run({ agent, task: 'Fix it.', workingFolder, id, acceptance: contract })
  const { status, output, error, acceptance, usage } = result
  tell({
    kind: 'result',
    status,
    output,
    error,
    acceptance: acceptance?.status,
    finalizationTurns: acceptance?.finalizationTurns,
    review: acceptance?.review?.id,
    modelCalls: usage.modelCalls.settled,
    toolCalls: usage.toolCalls.settled,
    spawns: usage.spawns.settled,
    requests: model.book.length,
  })
} catch (error) {
  tell({ kind: 'refused', code: (error as { readonly code?: string }).code, message: (error as Error).message })
}
await governor.close()
await store.dispose()
