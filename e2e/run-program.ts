import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createScriptedProvider, type ProviderScript, type ScriptedProvider } from '../src/testing/provider/index.ts'
import { createMachine, type ExecEnd } from '../tests/integration/exec/start-exec.ts'
import type { AgentProgram } from './programs/agent-program.ts'

/** A machine with the program on it, its provider, and a home of its own. */
export interface ProgramStage {
  readonly provider: ScriptedProvider
  readonly homeFolder: string
  /** `stint exec LIMITS -- COMMAND`, to its end. An empty variable is as good as none. */
  exec(limits: readonly string[], command?: readonly string[], env?: Readonly<Record<string, string>>): Promise<ExecEnd>
  /** The program alone, straight at the provider. */
  runDirectly(): Promise<Pick<ExecEnd, 'exitCode' | 'stdout'>>
  /** Everything in the ledger, by its path. */
  scopes(): Promise<readonly { readonly path: string; readonly status: string }[]>
  /** How many calls the limits refused, as the log has it. */
  denials(): number
}

// Programs take seconds; one that hangs is ended, with everything below it.
const LONGEST_MS = 60_000
// Nobody listens there: what a program wants from anywhere but this machine, it does not get.
const NOWHERE = 'http://127.0.0.1:9'
// opencode comes as the package of its platform alone, which has no link among the others.
const PROGRAMS = ['.bin', 'opencode-linux-x64/bin'].map((name) => join(import.meta.dirname, 'node_modules', name))

export async function stageProgram(
  program: AgentProgram,
  script: ProviderScript = program.loops,
): Promise<ProgramStage> {
  const provider = await createScriptedProvider({ script })
  onTestFinished(() => provider.close())
  const machine = createMachine({
    PATH: [...PROGRAMS, process.env.PATH].join(delimiter),
    ANTHROPIC_BASE_URL: provider.url,
    ANTHROPIC_API_KEY: 'made-up',
    OPENAI_BASE_URL: provider.openaiUrl,
    OPENAI_API_KEY: 'made-up',
    HTTP_PROXY: NOWHERE,
    HTTPS_PROXY: NOWHERE,
    NO_PROXY: '127.0.0.1,localhost',
  })
  const place = { provider, homeFolder: machine.folder }
  const settings = program.settings(place)
  return {
    provider,
    homeFolder: machine.folder,
    async exec(limits, command = program.command, env = {}) {
      const report = join(machine.folder, 'report.json')
      const started = machine.start(['exec', ...limits, '--json', report, '--', ...command], { ...settings, ...env })
      const timer = setTimeout(() => started.child.kill('SIGTERM'), LONGEST_MS)
      return started.ended.finally(() => clearTimeout(timer))
    },
    async runDirectly() {
      const [command = '', ...args] = program.directCommand(place)
      const child = spawn(command, args, {
        cwd: join(machine.folder, 'project'),
        env: { ...machine.env, ...settings },
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: LONGEST_MS,
        killSignal: 'SIGKILL',
      })
      let stdout = ''
      child.stdout.setEncoding('utf8').on('data', (text) => {
        stdout += text
      })
      return new Promise((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (exitCode) => resolve({ exitCode, stdout }))
      })
    },
    async scopes() {
      return JSON.parse((await machine.start(['status', '--all', '--json']).ended).stdout).scopes
    },
    denials: () =>
      readFileSync(join(machine.folder, 'state/stint/logs/execution-limits.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"reservation_denied"')).length,
  }
}
