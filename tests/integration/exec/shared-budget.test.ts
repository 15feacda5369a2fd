import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createGate,
  createScriptedProvider,
  loopForEver,
  type ProviderScript,
} from '../../../src/testing/provider/index.ts'
import { ANY_AGENT, createMachine } from './start-exec.ts'

describe('two commands on one budget', () => {
  it('reach its limit together, and never exceed it', async () => {
    // A late starter would find everything spent: no call is answered before both are there.
    const areBothThere = createGate()
    const loop = loopForEver() as Extract<ProviderScript, (...given: never[]) => unknown>
    const script: ProviderScript = async (request) => ({ ...(await loop(request)), startGate: areBothThere })
    const provider = await createScriptedProvider({ script })
    onTestFinished(() => provider.close())
    const machine = createMachine({ OPENAI_BASE_URL: provider.openaiUrl })
    await machine.start(['budget', 'set', 'team:core', '--limit', 'modelCalls=7', '--limit', 'cost=1']).ended
    const started = ['a', 'b'].map(
      (name) => machine.start(['exec', '--within', 'team:core', '--name', name, '--', ...ANY_AGENT]).ended,
    )
    await provider.until(({ requestCount }) => requestCount === 2)
    areBothThere.open()
    const ends = await Promise.all(started)
    expect(provider.requestCount).toBe(7)
    for (const end of ends) expect(end.stderr).toContain('modelCalls limit of "team:core"')
    const shown = JSON.parse((await machine.start(['budget', 'show', 'team:core', '--json']).ended).stdout)
    expect(shown.budget.totals).toMatchObject({
      modelCalls: { settled: 7, reserved: 0 },
      costNanoUsd: { settled: Number(provider.book().costNanoUsd), reserved: 0 },
    })
    for (const end of ends) expect(end).toMatchObject({ exitCode: 124, stdout: 'This is how far I came.\n' })
  })
})
