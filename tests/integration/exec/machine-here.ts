import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import type { Platform } from '../../../src/cli/platform.ts'
import { createProcessPlatform } from '../../../src/cli/process-platform.ts'
import {
  createScriptedProvider,
  type ProviderScript,
  type ScriptedProvider,
} from '../../../src/testing/provider/index.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { ANY_AGENT, type ReportFile } from './start-exec.ts'

/** The command line in this process, which starts faster and need not wait for minutes; its commands are real. */
export interface MachineHere {
  readonly provider: ScriptedProvider
  readonly folder: string
  /** Our own output during the last run. */
  readonly said: { out: string; error: string }
  run(...args: readonly string[]): Promise<number>
  /** `stint exec ARGS --json FILE -- COMMAND`, and what the file says. */
  exec(
    args: readonly string[],
    command: readonly string[],
  ): Promise<{ readonly exitCode: number; readonly report: ReportFile }>
  /** Sends the current `exec` the request to end, as a signal does. */
  stop(): void
  /** The agent, with what it prints in a file: standard output is the test runner's. */
  readonly agent: readonly string[]
  /** What the agent printed. */
  printed(): string
}

export async function createMachineHere(
  script: ProviderScript,
  own: Partial<Pick<Platform, 'startGateway' | 'isHolderAlive'>> = {},
): Promise<MachineHere> {
  const provider = await createScriptedProvider({ script })
  onTestFinished(() => provider.close())
  const folder = createTemporaryFolder({ 'project/.keep': '', 'state/.keep': '' })
  const log = join(folder, 'agent.log')
  const report = join(folder, 'report.json')
  const said = { out: '', error: '' }
  let tellToEnd = (): void => {}
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    STINT_HOME: join(folder, 'state/stint'),
    OPENAI_BASE_URL: provider.openaiUrl,
    AGENT_LOG: log,
  }
  const run = async (...args: readonly string[]): Promise<number> => {
    said.out = ''
    said.error = ''
    return main(args, {
      ...createProcessPlatform(),
      env,
      workingFolder: join(folder, 'project'),
      homeFolder: folder,
      terminals: { input: false, output: true, error: true },
      // Whoever ran before is dead for whoever comes after, though it was this process.
      isHolderAlive: () => false,
      patience: { pauseMs: 300, afterClosingMs: 300 },
      outliveOutput: () => {},
      outliveSignals(onStop) {
        tellToEnd = onStop
      },
      ...own,
      writeOut: (text) => {
        said.out += text
      },
      writeError: (text) => {
        said.error += text
      },
    })
  }
  return {
    provider,
    folder,
    said,
    run,
    async exec(args, command) {
      const exitCode = await run('exec', ...args, '--json', report, '--', ...command)
      return { exitCode, report: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null }
    },
    stop: () => tellToEnd(),
    agent: quietAgent(folder),
    printed: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
  }
}

function quietAgent(folder: string): readonly string[] {
  const [node, agent] = ANY_AGENT
  const program = join(folder, 'quiet-agent.mjs')
  const quiet = `import { appendFileSync } from 'node:fs'
for (const way of ['log', 'error']) console[way] = (text) => appendFileSync(process.env.AGENT_LOG, text + '\\n')
await import(${JSON.stringify(agent)})
`
  writeFileSync(program, quiet)
  return [node!, program]
}
