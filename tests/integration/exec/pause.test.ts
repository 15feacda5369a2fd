import { describe, expect, it } from 'vitest'
import { loopForEver } from '../../../src/testing/provider/index.ts'
import { createMachineHere } from './machine-here.ts'

describe('a command whose run is paused', () => {
  it('exits with 75 if it is not resumed, and is restarted in the same scope', async () => {
    const { provider, run, exec, said, agent, printed } = await createMachineHere(loopForEver())
    const { exitCode, report } = await exec(['--limit', 'turns=2:pause'], agent)
    expect(exitCode).toBe(75)
    expect(report).toMatchObject({
      status: 'paused',
      exitCode: 75,
      breach: { meter: 'toolCalls', action: 'pause' },
      usage: { toolCalls: { settled: 2 } },
    })
    expect(said.error).toContain(`stint resume ${report.id}`)
    const before = provider.requestCount

    expect(await run('raise', report.id, '--limit', 'turns=5:terminate')).toBe(0)
    expect(await run('resume', report.id)).toBe(124)
    expect(said.error).toContain('turns 5 of 5')
    expect(provider.requestCount - before).toBe(4)
    expect(printed()).toContain('This is how far I came.')
    expect(await run('resume', report.id)).toBe(1)
  })
})
