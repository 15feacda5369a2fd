import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createScriptedProvider, loopForEver, type ProviderRequest } from '../../src/testing/provider/index.ts'
import { createTemporaryFolder } from '../../tests/house/temporary-folder.ts'
import { createMachine, type ExecMachine } from '../../tests/integration/exec/start-exec.ts'
import { type AgentProgram, CLOSING } from '../programs/agent-program.ts'
import { programEnv, runHere } from '../run-program.ts'
import { complaintIn } from './sweep-program.ts'

/** Several clients at once on one lasting budget. */
export interface ServedRow {
  readonly budgetUsd: number
  readonly spentNanoUsd: number
  readonly ledgerNanoUsd: number
  readonly toolCalls: number
  readonly clients: readonly ServedClient[]
}

export interface ServedClient {
  readonly name: string
  /** `refused`: before its first call, with the least that would do. */
  readonly end: 'answered' | 'refused' | 'neither'
  readonly said: string
}

const BUDGET = 'team:core'
const PROVIDER_KEY = 'made-up-of-the-provider'
const LONGEST_MS = 400_000
const NEEDS = { outputTokens: 300, closingTokens: 200 }

/** Runs the programs at once through `stint serve`, each with a key of its own on the same budget. */
export async function runServed(budgetUsd: number, programs: readonly AgentProgram[]): Promise<ServedRow> {
  const script = (request: ProviderRequest) => {
    // Each has a shell tool of its own name.
    const program = programs.find(({ tool }) => request.tools.some(({ name }) => name === tool.toolName))
    const loop = loopForEver({ ...program?.tool, closing: CLOSING, ...NEEDS })
    return typeof loop === 'function' ? loop(request) : {}
  }
  const provider = await createScriptedProvider({ script, apiKeys: [PROVIDER_KEY] })
  onTestFinished(() => provider.close())
  const machine = createMachine({ PROVIDER_KEY })
  mkdirSync(join(machine.folder, '.config/stint'), { recursive: true })
  writeFileSync(
    join(machine.folder, '.config/stint/config.yaml'),
    `upstreams:
  anthropic: { baseUrl: "${provider.url}", apiKeyEnv: PROVIDER_KEY }
  openai: { baseUrl: "${provider.openaiUrl}", apiKeyEnv: PROVIDER_KEY }
`,
  )
  await stint(machine, 'budget', 'set', BUDGET, '--limit', `cost=${budgetUsd}`)
  const url = await serve(machine)
  const clients = await Promise.all(programs.map((program) => runClient(machine, program, url)))
  const status = JSON.parse(await stint(machine, 'status', '--all', '--json'))
  const budget = status.scopes.find(({ path }: { readonly path: string }) => path === BUDGET)
  const { costNanoUsd, toolCalls } = provider.book()
  return { budgetUsd, spentNanoUsd: costNanoUsd, ledgerNanoUsd: budget.totals.costNanoUsd.settled, toolCalls, clients }
}

async function stint(machine: ExecMachine, ...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await machine.start(args).ended
  if (exitCode !== 0) throw new Error(`stint ${args.join(' ')} ended with ${exitCode}: ${stderr}`)
  return stdout
}

/** Its address, once it listens. It ends with the test. */
async function serve(machine: ExecMachine): Promise<string> {
  const { child, said } = machine.start(['serve', '--port', '0', '--json'])
  while (!said().includes('\n'))
    await Promise.race([once(child.stdout!, 'data'), failAtEnd(once(child, 'close'), said)])
  return JSON.parse(said().split('\n')[0]!).url
}

async function failAtEnd(end: Promise<unknown>, said: () => string): Promise<never> {
  await end
  throw new Error(`stint serve ended: ${said()}`)
}

async function runClient(machine: ExecMachine, program: AgentProgram, url: string): Promise<ServedClient> {
  const apiKey = JSON.parse(await stint(machine, 'keys', 'create', BUDGET, '--json')).key
  const homeFolder = createTemporaryFolder({ 'project/.keep': '' })
  const provider = { url: `${url}/anthropic`, openaiUrl: `${url}/openai/v1` }
  const place = { provider, apiKey, homeFolder }
  const env = { ...programEnv(provider, apiKey), HOME: homeFolder, ...program.settings(place) }
  const workingFolder = join(homeFolder, 'project')
  const end = await runHere(program.directCommand(place), { workingFolder, env, longestMs: LONGEST_MS })
  const isRefused = `${end.stdout}${end.stderr}`.includes('need up to $')
  return {
    name: program.name,
    end: end.stdout.includes(CLOSING) ? 'answered' : isRefused ? 'refused' : 'neither',
    said: end.stdout.includes(CLOSING) ? '' : complaintIn(end.stdout, end.stderr),
  }
}
