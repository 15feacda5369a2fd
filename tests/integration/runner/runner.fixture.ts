import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { LedgerStore } from '../../../src/core/index.ts'
import { createGovernor, type Governor } from '../../../src/governor/index.ts'
import { createRunner, type Runner, type RunnerOptions } from '../../../src/runner/index.ts'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import type { ScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { scriptedModels } from './scripted-models.ts'

export { agentFrom } from './agent-from.ts'

/** A runner on a ledger in a file, in a folder with these files, with scripted models by their names. */
export interface RunnerStage {
  readonly runner: Runner
  readonly governor: Governor
  readonly store: LedgerStore
  readonly workingFolder: string
  readonly taskFolder: string
  readonly ledger: string
}

export function createStage(
  models: Readonly<Record<string, ScriptedLanguageModel>>,
  files: Readonly<Record<string, string>> = {},
  options: Partial<RunnerOptions> = {},
): RunnerStage {
  const workingFolder = createTemporaryFolder(files)
  const home = createTemporaryFolder()
  const ledger = join(home, 'ledger.db')
  const store = createSqliteStore({ file: ledger })
  const governor = createGovernor({ store, graceMs: 200 })
  const taskFolder = join(home, 'tasks')
  const runner = createRunner({
    governor,
    models: scriptedModels(models),
    taskFolder,
    env: { PATH: process.env.PATH },
    findAgents: () => {
      throw new Error('not asked for')
    },
    ...options,
  })
  onTestFinished(async () => {
    await governor.close()
    await store.dispose()
  })
  return { runner, governor, store, workingFolder, taskFolder, ledger }
}
