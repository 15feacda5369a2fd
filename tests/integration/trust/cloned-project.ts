import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createScriptedProvider, loopForEver, type ScriptedProvider } from '../../../src/testing/provider/index.ts'
import { writeFileInFolder } from '../../house/temporary-folder.ts'
import { createMachine, type ExecEnd, type ExecMachine } from '../exec/start-exec.ts'

/** A machine with a cloned project, and a provider that goes on for ever and keeps its own book. */
export interface ClonedProject extends ExecMachine {
  readonly provider: ScriptedProvider
  /** Writes a file below the home folder: `project/…` is the clone. */
  write(path: string, text: string): void
  read(path: string): string | null
  stint(...args: readonly string[]): Promise<ExecEnd>
}

export async function createClonedProject(files: Readonly<Record<string, string>>): Promise<ClonedProject> {
  const provider = await createScriptedProvider({ script: loopForEver() })
  onTestFinished(() => provider.close())
  const machine = createMachine({
    OPENAI_BASE_URL: provider.openaiUrl,
    OPENAI_API_KEY: 'sk-canary-0123456789',
    ANTHROPIC_BASE_URL: provider.url,
    ANTHROPIC_API_KEY: 'sk-canary-0123456789',
  })
  const write = (path: string, text: string): void => writeFileInFolder(machine.folder, path, text)
  for (const [path, text] of Object.entries(files)) write(path, text)
  return {
    ...machine,
    provider,
    write,
    read: (path) => {
      const file = join(machine.folder, path)
      return existsSync(file) ? readFileSync(file, 'utf8') : null
    },
    stint: (...args) => machine.start(args).ended,
  }
}
