import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createScriptedProvider,
  loopForEver,
  type ProviderScript,
  type ScriptedProviderOptions,
  toolThenText,
} from '../../../src/testing/provider/index.ts'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { ANY_AGENT } from '../exec/start-exec.ts'
import { createRunnerMachine, type RunnerMachine } from './machine.ts'

const KEY = 'sk-ant-made-up-0123456789'
const STINT = [process.execPath, BUILT_PROGRAM]
const MODEL = ['--model', 'anthropic/claude-sonnet-4-5']
const READ = { toolCalls: [{ name: 'read', arguments: { path: 'notes.txt' } }] }

async function openMachine(
  script: ProviderScript,
  own: Readonly<Record<string, string>> = {},
  options: ScriptedProviderOptions = {},
) {
  const provider = await createScriptedProvider({ script, ...options })
  onTestFinished(() => provider.close())
  const openai = { OPENAI_BASE_URL: provider.openaiUrl, OPENAI_API_KEY: KEY }
  const anthropic = { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: KEY }
  const machine = createRunnerMachine({ ...anthropic, ...openai, ...own })
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
  it('J7, B16: is a child of that run, sees one budget, and each call counts once', async () => {
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

  it('J7: is refused if the enclosing run allows no depth', async () => {
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

  it('is ended by the limits of the enclosing run', async () => {
    const { machine, provider } = await openMachine(() => READ)
    const inner = [...STINT, 'run', 'plain', 'go', ...MODEL, '--name', 'inner', '--limit', 'turns=50']
    const end = await machine.run('exec', '--name', 'outer', '--limit', 'turns=2', '--', ...inner)
    expect(end.exitCode).toBe(124)
    const [outer, run] = await scopesOf(machine)
    expect(run).toMatchObject({ path: 'outer/inner', status: 'limit-reached' })
    expect(outer!.totals).toMatchObject({ toolCalls: { settled: 2 }, modelCalls: { settled: provider.requestCount } })
  })

  it('uses the prices of the enclosing run, whatever its own config says', async () => {
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

  it.each([
    ['anthropic/claude-haiku-4-5', '/v1/messages/count_tokens'],
    ['openai/gpt-4.1', '/v1/responses/input_tokens'],
  ])('has its calls counted by the enclosing gateway, and each is sent once: %s', async (model, route) => {
    // 40 kB of prose: 8,000 tokens to the provider, and more than 10,000 by any careful estimate.
    const text = 'Plain words that say next to nothing of any use. '.repeat(820)
    const { machine, provider } = await openMachine([READ, { text: 'Done.' }], {}, { bytesPerToken: 5 })
    const inner = [...STINT, 'run', 'plain', text, '--model', model, '--name', 'inner']
    const end = await machine.run('exec', '--name', 'outer', '--limit', 'tokens=30000', '--', ...inner)
    expect(end).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Done.') })
    // Asked for by the run, and by the gateway before it believes the reservation that came with the request.
    expect(provider.counts.map(({ path, status }) => [path, status])).toEqual([
      [route, 200],
      [route, 200],
    ])
    expect(provider.requestCount).toBe(2)
    for (const { totals } of await scopesOf(machine)) {
      expect(totals.modelCalls).toMatchObject({ settled: 2, reserved: 0 })
    }
  })

  it.each(['nonsense', 'stint1.e30.x'])('a broken token has no authority: %s', async (token) => {
    const { machine, provider } = await openMachine([{ text: 'Done.' }], { STINT_SCOPE: token })
    const end = await machine.run('run', 'plain', 'go', ...MODEL)
    expect(end).toMatchObject({ exitCode: 2, stdout: '' })
    expect(end.stderr).toContain('STINT_SCOPE cannot be used')
    expect(provider.requestCount).toBe(0)
  })

  it('says what is not possible there: a ledger in memory, another payer, another address, the background', async () => {
    const { machine, provider } = await openMachine([{ text: 'Done.' }])
    const inner = [...STINT, 'run', 'plain', 'go', ...MODEL]
    const memory = await machine.run('exec', '--store', 'memory:', '--', ...inner)
    expect(memory).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('has its ledger in memory') })
    const flags = [['--within', 'team:a'], ['--user', 'ann'], ['--base-url', 'http://127.0.0.1:9'], ['--background']]
    for (const [flag = '', ...value] of flags) {
      const end = await machine.run('exec', '--', ...inner, flag, ...value)
      expect(end).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(`${flag} .*omitted here`) })
    }
    expect(provider.requestCount).toBe(0)
  })
})

describe("programs in an agent's bash", () => {
  const OUTER = ['--model', 'scripted/outer.json', '--name', 'outer']

  function bash(machine: RunnerMachine, ...commands: readonly (readonly string[] | string)[]): void {
    const call = (command: readonly string[] | string) => ({
      name: 'bash',
      arguments: { command: typeof command === 'string' ? command : command.join(' ') },
    })
    machine.script('outer', [...commands.map((command) => ({ toolCalls: [call(command)] })), { text: 'Handed on.' }])
  }

  /** What is in the ledger of the calls that went to the provider. */
  async function booked(machine: RunnerMachine, path: string) {
    const scopes = await scopesOf(machine)
    return scopes.find((scope) => scope.path === path)!.totals
  }

  it('B16, J7: a stint run is a child of the run, and counts once', async () => {
    const { provider, machine } = await openMachine([READ, { text: 'Inner is done.' }])
    bash(machine, [...STINT, 'run', 'plain', 'go', ...MODEL, '--name', 'inner'])
    const { document, exitCode } = await machine.json('run', 'plain', 'go', ...OUTER, '--limit', 'turns=7')
    expect({ exitCode, output: document.output }).toEqual({ exitCode: 0, output: 'Handed on.' })
    const scopes = await scopesOf(machine)
    expect(scopes).toMatchObject([{ path: 'outer' }, { path: 'outer/inner', status: 'completed' }])
    const { costNanoUsd } = provider.book()
    expect(provider.requestCount).toBe(2)
    expect(await booked(machine, 'outer/inner')).toMatchObject({
      modelCalls: { settled: 2, reserved: 0 },
      costNanoUsd: { settled: Number(costNanoUsd), reserved: 0 },
    })
    // Two of its own, which cost nothing here, and one tool call beside that of the inner run.
    expect(await booked(machine, 'outer')).toMatchObject({ modelCalls: { settled: 4 }, toolCalls: { settled: 2 } })
    for (const request of provider.requests) {
      expect(systemOf(request).match(/Tool budget/g)).toHaveLength(1)
      expect(systemOf(request)).toContain('you have 7 tool calls')
    }
  })

  it('J7: nothing can be started if the run allows no depth', async () => {
    const { provider, machine } = await openMachine([{ text: 'Done.' }])
    bash(machine, [...STINT, 'run', 'plain', 'go', ...MODEL], [...STINT, 'exec', '--', 'echo', 'ran-it'])
    const { document } = await machine.json('run', 'plain', 'go', ...OUTER, '--limit', 'depth=0')
    expect(document.output).toBe('Handed on.')
    expect(await scopesOf(machine)).toHaveLength(1)
    expect(provider.requestCount).toBe(0)
  })

  it('B16: a stint exec is a child of the run, and an agent without stint counts on the run itself', async () => {
    const { provider, machine } = await openMachine(toolThenText(1))
    const own = { OPENAI_BASE_URL: provider.openaiUrl, OPENAI_API_KEY: KEY }
    bash(machine, [...STINT, 'exec', '--name', 'inner', '--', ...ANY_AGENT], ANY_AGENT)
    const started = machine.start(['run', 'plain', 'go', ...OUTER, '--limit', 'turns=20'], { env: own })
    expect(await started.ended).toMatchObject({ exitCode: 0 })
    expect(provider.requestCount).toBe(4)
    const ofInner = await booked(machine, 'outer/inner')
    const ofOuter = await booked(machine, 'outer')
    expect(ofInner.modelCalls!.settled).toBe(2)
    // Three of its own model, two of the exec, two of the agent.
    expect(ofOuter).toMatchObject({ modelCalls: { settled: 7, reserved: 0 }, toolCalls: { settled: 4 } })
    expect(provider.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true)
  })

  it('have no provider key, and cannot use the closing call of the run', async () => {
    const { provider, machine } = await openMachine(loopForEver())
    const own = { OPENAI_BASE_URL: provider.openaiUrl, OPENAI_API_KEY: KEY }
    bash(machine, 'env > env.txt', ANY_AGENT, 'true')
    const started = machine.start(['run', 'plain', 'go', ...OUTER, '--limit', 'turns=5', '--json'], { env: own })
    const end = await started.ended
    expect(readFileSync(join(machine.projectFolder, 'env.txt'), 'utf8')).not.toContain(KEY)
    expect(end.exitCode).toBe(124)
    expect(JSON.parse(end.stdout)).toMatchObject({ status: 'limit-reached', breach: { meter: 'toolCalls' } })
    // Each answer of the provider called one tool: three of five were left for them, and none closed the run.
    expect(provider.requestCount).toBe(3)
    expect((await booked(machine, 'outer')).toolCalls).toMatchObject({ settled: 5, reserved: 0 })
  })

  it('B16: inside stint exec they use its gateway, under the scope of their run', async () => {
    const { provider, machine } = await openMachine(toolThenText(1))
    const own = { OPENAI_BASE_URL: provider.openaiUrl, OPENAI_API_KEY: KEY }
    bash(machine, ANY_AGENT, [...STINT, 'exec', '--name', 'inmost', '--', ...ANY_AGENT])
    const inner = [...STINT, 'run', 'plain', 'go', '--model', 'scripted/outer.json', '--name', 'inner']
    const started = machine.start(['exec', '--name', 'outer', '--limit', 'turns=20', '--', ...inner], { env: own })
    const end = await started.ended
    expect(end).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Handed on.') })
    expect(provider.requestCount).toBe(4)
    expect((await scopesOf(machine)).map(({ path }) => path).sort()).toEqual([
      'outer',
      'outer/inner',
      'outer/inner/inmost',
    ])
    expect((await booked(machine, 'outer/inner/inmost')).modelCalls!.settled).toBe(2)
    expect(await booked(machine, 'outer')).toMatchObject({ modelCalls: { settled: 7, reserved: 0 } })
  })
})
