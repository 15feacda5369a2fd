import { describe, expect, it, onTestFinished } from 'vitest'
import { createScriptedProvider, type ProviderScript } from '../../../src/testing/provider/index.ts'
import { createRunnerMachine } from './machine.ts'

const MODEL = ['--model', 'anthropic/claude-sonnet-4-5']

async function stage(script: ProviderScript) {
  const provider = await createScriptedProvider({ script })
  onTestFinished(() => provider.close())
  const machine = createRunnerMachine({ ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: 'sk-made-up' })
  return { provider, ...machine }
}

interface Assumed {
  readonly reservations: readonly { readonly id: string; readonly charged: { readonly costNanoUsd: number } }[]
}

describe('an interrupted call of stint run', () => {
  it('is assumed, is shown separately wherever its run is shown, and can be corrected', async () => {
    const machine = await stage([{ text: 'never', fault: { kind: 'headers-only' } }])
    const flags = [...MODEL, '--limit', 'cost=1', '--timeout', '3s', '--no-wrap-up', '--id', 'task-1']
    const run = await machine.run('run', 'plain', 'go', ...flags)
    expect(run.exitCode).toBe(124)
    expect(run.stderr).toMatch(/cost \$(0\.\d+) of \$1\.00, of which \$\1 assumed/)
    expect(run.stderr).toContain('The usage of 1 call is unknown: it was cut off. To correct it: stint assumed list')
    for (const command of [['tasks'], ['status', '--all'], ['show', 'task-1']]) {
      expect((await machine.run(...command)).stdout).toMatch(/\$0\.\d+ \(\$0\.\d+ assumed\)|of which \$0\.\d+ assumed/)
    }
    const { document } = await machine.json<Assumed>('assumed', 'list')
    expect(document.reservations).toHaveLength(1)
    const [{ id, charged } = { id: '', charged: { costNanoUsd: 0 } }] = document.reservations
    expect(machine.meta('task-1')?.usage.cost).toMatchObject({
      settled: charged.costNanoUsd,
      assumed: charged.costNanoUsd,
    })
    expect((await machine.run('assumed', 'settle', id, '--amount', 'cost=0.01')).exitCode).toBe(0)
    const shown = await machine.run('show', 'task-1')
    expect(shown.stdout).toMatch(/cost \$1\.00 +\$0\.01 /)
    expect(shown.stdout).not.toContain('assumed')
  })

  it('pauses the run if its upstream does it twice in a row; the run says why and can be resumed', async () => {
    const cut = { fault: { kind: 'no-answer' } } as const
    const machine = await stage([cut, cut, { text: 'Back again.' }])
    const paused = await machine.json('run', 'plain', 'go', ...MODEL, '--id', 'task-1')
    expect(paused).toMatchObject({ exitCode: 75, document: { status: 'paused' } })
    expect(paused.document.warnings.join()).toContain('left 2 calls in a row unfinished')
    expect(paused.document.usage.modelCalls).toMatchObject({ settled: 2, assumed: 2 })
    expect(paused.stderr.match(/was retried/g)).toHaveLength(1)
    const resumed = await machine.json('resume', 'task-1')
    expect(resumed).toMatchObject({ exitCode: 0, document: { output: 'Back again.' } })
    expect(machine.provider.requestCount).toBe(3)
  })
})

describe('a call of stint run that was not accepted', () => {
  it('costs nothing, and a port that fetch blocks is tried once', async () => {
    const machine = createRunnerMachine({ OPENAI_API_KEY: 'sk-made-up' })
    const flags = ['--model', 'openai/gpt-4.1', '--base-url', 'http://127.0.0.1:1/v1']
    const { exitCode, stderr, document } = await machine.json('run', 'plain', 'go', ...flags)
    expect({ exitCode, error: document.error }).toEqual({ exitCode: 1, error: 'Cannot connect to API: bad port' })
    expect(stderr).not.toContain('asked again')
    const { modelCalls, tokens, cost } = document.usage
    expect([modelCalls.settled, modelCalls.refused, tokens.settled, cost.settled]).toEqual([0, 0, 0, 0])
  })

  it('does not count as a model call if the provider refused it', async () => {
    const busy = { fault: { kind: 'status', status: 529, retryAfterSeconds: 0 } } as const
    const machine = await stage([busy, busy, { text: 'At last.' }])
    const limits = ['--limit', 'modelCalls=2']
    const { exitCode, document } = await machine.json('run', 'plain', 'go', ...MODEL, ...limits)
    expect({ exitCode, output: document.output }).toEqual({ exitCode: 0, output: 'At last.' })
    expect(document.usage.modelCalls).toMatchObject({ settled: 1, refused: 2 })
  })
})
