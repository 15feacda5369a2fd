import { describe, expect, it, onTestFinished } from 'vitest'
import { createScriptedProvider, loopForEver } from '../../../src/testing/provider/index.ts'
import { ANY_AGENT, createMachine } from './start-exec.ts'

describe('two commands on one budget', () => {
  it('come to its limit together, and never past it', async () => {
    const provider = await createScriptedProvider({ script: loopForEver() })
    onTestFinished(() => provider.close())
    const machine = createMachine({ OPENAI_BASE_URL: provider.openaiUrl })
    await machine.start(['budget', 'set', 'team:core', '--limit', 'modelCalls=7', '--limit', 'cost=1']).ended
    const ends = await Promise.all(
      ['a', 'b'].map(
        (name) => machine.start(['exec', '--within', 'team:core', '--name', name, '--', ...ANY_AGENT]).ended,
      ),
    )
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
