import { describe, expect, it, onTestFinished } from 'vitest'
import { createScriptedProvider, type ProviderScript } from '../../../src/testing/provider/index.ts'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { createRunnerMachine, type RunnerMachine } from './machine.ts'

const KEY = 'sk-ant-made-up-0123456789'
const STINT = [process.execPath, BUILT_PROGRAM]
const MODEL = ['--model', 'anthropic/claude-sonnet-4-5']
const READ = { toolCalls: [{ name: 'read', arguments: { path: 'notes.txt' } }] }

async function openMachine(script: ProviderScript, own: Readonly<Record<string, string>> = {}) {
  const provider = await createScriptedProvider({ script })
  onTestFinished(() => provider.close())
  const machine = createRunnerMachine({ ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: KEY, ...own })
  return { provider, machine }
}

async function scopesOf(machine: RunnerMachine) {
  const { document } = await machine.json<{ readonly scopes: readonly Scope[] }>('status', '--all')
  return document.scopes
}

interface Scope {
  readonly path: string
  readonly status: string
  readonly totals: Readonly<Record<string, { readonly settled: number; readonly reserved: number }>>
}

function systemOf({ body }: { readonly body: Buffer }): string {
  return JSON.stringify(JSON.parse(body.toString()).system)
}

describe('stint run inside stint exec', () => {
  it('J7, B16: is a child of that run, told one budget, and each call counts once', async () => {
    const { provider, machine } = await openMachine([READ, READ, { text: 'Done.' }])
    const inner = [...STINT, 'run', 'plain', 'go', ...MODEL, '--name', 'inner', '--limit', 'turns=9']
    const limits = ['--name', 'outer', '--limit', 'turns=5', '--limit', 'cost=1', '--limit', 'depth=1']
    const end = await machine.run('exec', ...limits, '--', ...inner)
    expect(end).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Done.') })
    const scopes = await scopesOf(machine)
    expect(scopes).toMatchObject([{ path: 'outer' }, { path: 'outer/inner', status: 'completed' }])
    const { costNanoUsd } = provider.book()
    for (const { totals } of scopes) {
      expect(totals).toMatchObject({
        modelCalls: { settled: 3, reserved: 0 },
        toolCalls: { settled: 2 },
        costNanoUsd: { settled: Number(costNanoUsd), reserved: 0 },
      })
    }
    expect(end.stderr).toContain('calls: 3')
    for (const request of provider.requests) {
      expect(systemOf(request).match(/Tool budget/g)).toHaveLength(1)
      expect(systemOf(request)).toContain('you have 5 tool calls')
    }
  })

  it('J7: is refused where the run around it allows none below it', async () => {
    const { provider, machine } = await openMachine([{ text: 'Done.' }])
    const inner = [...STINT, 'run', 'plain', 'go', ...MODEL]
    const nested = await machine.run('exec', '--limit', 'depth=0', '--', ...STINT, 'exec', '--', 'true')
    const end = await machine.run('exec', '--limit', 'depth=0', '--', ...inner)
    expect(end.exitCode).toBe(nested.exitCode)
    expect(end.exitCode).not.toBe(0)
    expect(end.stderr).toContain('depth')
    const spawned = await machine.run('exec', '--limit', 'spawns=0', '--', ...inner)
    expect(spawned.exitCode).toBe(nested.exitCode)
    expect(provider.requestCount).toBe(0)
  })

  it('is ended by the limits of the run around it', async () => {
    const { machine, provider } = await openMachine(() => READ)
    const inner = [...STINT, 'run', 'plain', 'go', ...MODEL, '--name', 'inner', '--limit', 'turns=50']
    const end = await machine.run('exec', '--name', 'outer', '--limit', 'turns=2', '--', ...inner)
    expect(end.exitCode).toBe(124)
    const [outer, run] = await scopesOf(machine)
    expect(run).toMatchObject({ path: 'outer/inner', status: 'limit-reached' })
    expect(outer!.totals).toMatchObject({ toolCalls: { settled: 2 }, modelCalls: { settled: provider.requestCount } })
  })

  it('pays the prices of the run around it, whatever its own config says', async () => {
    const { machine, provider } = await openMachine(() => READ)
    machine.write('free.yaml', 'prices: { claude-sonnet-4-5: { input: 0, output: 0 } }\n')
    const flags = ['--config', 'free.yaml', '--name', 'inner', '--limit', 'turns=100', '--limit', 'cost=50']
    const inner = [...STINT, 'run', 'plain', 'go', ...MODEL, ...flags]
    const end = await machine.run('exec', '--name', 'outer', '--limit', 'cost=0.05', '--', ...inner)
    expect(end.exitCode).toBe(124)
    const [outer] = await scopesOf(machine)
    const { costNanoUsd } = provider.book()
    expect(Number(costNanoUsd)).toBeGreaterThan(0)
    expect(Number(costNanoUsd)).toBeLessThanOrEqual(50_000_000)
    expect(outer!.totals.costNanoUsd).toMatchObject({ settled: Number(costNanoUsd), reserved: 0 })
  })

  it.each(['nonsense', 'stint1.e30.x'])('a broken token is no authority at all: %s', async (token) => {
    const { machine, provider } = await openMachine([{ text: 'Done.' }], { STINT_SCOPE: token })
    const end = await machine.run('run', 'plain', 'go', ...MODEL)
    expect(end).toMatchObject({ exitCode: 2, stdout: '' })
    expect(end.stderr).toContain('STINT_SCOPE cannot be used')
    expect(provider.requestCount).toBe(0)
  })

  it('names what it cannot do there: a ledger in memory, another payer, another address, the background', async () => {
    const { machine, provider } = await openMachine([{ text: 'Done.' }])
    const inner = [...STINT, 'run', 'plain', 'go', ...MODEL]
    const memory = await machine.run('exec', '--store', 'memory:', '--', ...inner)
    expect(memory).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('keeps its ledger in memory') })
    const flags = [['--within', 'team:a'], ['--user', 'ann'], ['--base-url', 'http://127.0.0.1:9'], ['--background']]
    for (const [flag = '', ...value] of flags) {
      const end = await machine.run('exec', '--', ...inner, flag, ...value)
      expect(end).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(`${flag} .*left out here`) })
    }
    expect(provider.requestCount).toBe(0)
  })
})
