import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  createScriptedProvider,
  type ProviderScript,
  type ScriptedProvider,
  type ScriptedProviderOptions,
} from '../src/testing/provider/index.ts'
import { createMachine, type ExecEnd } from '../tests/integration/exec/start-exec.ts'
import type { AgentProgram, ProgramPlace } from './programs/agent-program.ts'

/** A machine with the program on it, its provider, and a home of its own. */
export interface ProgramStage {
  readonly provider: ScriptedProvider
  readonly homeFolder: string
  /** `stint exec LIMITS -- COMMAND`, to its end. An empty variable is as good as none. */
  exec(limits: readonly string[], command?: readonly string[], env?: Readonly<Record<string, string>>): Promise<ExecEnd>
  /** The program alone, straight at the provider. */
  runDirectly(): Promise<Pick<ExecEnd, 'exitCode' | 'stdout' | 'stderr'>>
  /** Everything in the ledger, by its path. */
  scopes(): Promise<readonly { readonly path: string; readonly status: string }[]>
  /** How many calls the limits refused, as the log has it. */
  denials(): number
}

export interface StageOptions extends Pick<ScriptedProviderOptions, 'caching'> {
  /** Programs take seconds; one that hangs is ended, with everything below it. Default: a minute. */
  readonly longestMs?: number
}

const KEY = 'made-up'
// Nobody listens there: what a program wants from anywhere but this machine, it does not get.
const NOWHERE = 'http://127.0.0.1:9'
// opencode comes as the package of its platform alone, which has no link among the others.
const PROGRAMS = ['.bin', 'opencode-linux-x64/bin'].map((name) => join(import.meta.dirname, 'node_modules', name))

/** What every program finds in its environment: where its provider is, and no way to anywhere else. */
export function programEnv({ url, openaiUrl }: ProgramPlace['provider'], apiKey: string): Record<string, string> {
  return {
    PATH: [...PROGRAMS, process.env.PATH].join(delimiter),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: apiKey,
    OPENAI_BASE_URL: openaiUrl,
    OPENAI_API_KEY: apiKey,
    HTTP_PROXY: NOWHERE,
    HTTPS_PROXY: NOWHERE,
    NO_PROXY: '127.0.0.1,localhost',
  }
}

/** Runs a command without Stint around it, and ends it where it takes too long. */
export function runHere(
  [command = '', ...args]: readonly string[],
  place: { readonly workingFolder: string; readonly env: Readonly<Record<string, string>>; readonly longestMs: number },
): Promise<Pick<ExecEnd, 'exitCode' | 'stdout' | 'stderr'>> {
  const child = spawn(command, args, {
    cwd: place.workingFolder,
    env: place.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: place.longestMs,
    killSignal: 'SIGKILL',
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode) => resolve({ exitCode, ...said }))
  })
}

export async function stageProgram(
  program: AgentProgram,
  script: ProviderScript = program.loops,
  { longestMs = 60_000, ...options }: StageOptions = {},
): Promise<ProgramStage> {
  const provider = await createScriptedProvider({ script, ...options })
  onTestFinished(() => provider.close())
  const machine = createMachine(programEnv(provider, KEY))
  const place = { provider, apiKey: KEY, homeFolder: machine.folder }
  const settings = program.settings(place)
  return {
    provider,
    homeFolder: machine.folder,
    async exec(limits, command = program.command, env = {}) {
      const report = join(machine.folder, 'report.json')
      const started = machine.start(['exec', ...limits, '--json', report, '--', ...command], { ...settings, ...env })
      const timer = setTimeout(() => started.child.kill('SIGTERM'), longestMs)
      return started.ended.finally(() => clearTimeout(timer))
    },
    runDirectly: () =>
      runHere(program.directCommand(place), {
        workingFolder: join(machine.folder, 'project'),
        env: { ...machine.env, ...settings },
        longestMs,
      }),
    async scopes() {
      return JSON.parse((await machine.start(['status', '--all', '--json']).ended).stdout).scopes
    },
    denials: () =>
      readFileSync(join(machine.folder, 'state/stint/logs/execution-limits.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"reservation_denied"')).length,
  }
}
