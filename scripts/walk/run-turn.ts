import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWatch, type Visit } from './walk.ts'

const WARM = 20

/** One turn of an agent, its ledger in a file: the answer of its model, and the tool call in it. */
export async function walkRunTurn(): Promise<readonly Visit[]> {
  const watch = startWatch()
  const { createGovernor } = await import('../../src/index.ts')
  const { createRunner } = await import('../../src/runner/index.ts')
  const { createSqliteStore } = await import('../../src/stores/sqlite/index.ts')
  const { createScriptedLanguageModel } = await import('../../src/testing/ai-sdk/index.ts')
  const { agentFrom } = await import('../../tests/integration/runner/agent-from.ts')
  const { scriptedModels } = await import('../../tests/integration/runner/scripted-models.ts')
  const folder = mkdtempSync(join(tmpdir(), 'stint-walk-'))
  writeFileSync(join(folder, 'note.txt'), 'text\n')
  const reads = { text: 'Reading.', toolCalls: [{ name: 'read', arguments: { path: 'note.txt' } }] }
  const script = [...Array.from({ length: WARM + 2 }, () => reads), { text: 'Done.' }]
  const store = createSqliteStore({ file: join(folder, 'ledger.db') })
  const governor = createGovernor({ store })
  const models = scriptedModels({ first: createScriptedLanguageModel(script) })
  const runner = createRunner({
    governor,
    models,
    taskFolder: join(folder, 'tasks'),
    env: {},
    findAgents: () => [] as never,
  })
  let visits: readonly Visit[] = []
  const agent = agentFrom({ repeatGuard: false }, { limits: { toolCalls: 1_000, tokens: '10M' } })
  await runner.run(
    { agent, task: 'Read.', workingFolder: folder },
    {
      onProgress(progress) {
        if (progress.kind !== 'model-call') return
        if (progress.number === WARM) watch.begin()
        if (progress.number === WARM + 1) visits = watch.end()
      },
    },
  )
  await governor.close()
  await store.dispose()
  rmSync(folder, { recursive: true })
  return visits
}
