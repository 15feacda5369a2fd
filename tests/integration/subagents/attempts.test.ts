import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { call, createTeam, turns } from './subagents.fixture.ts'

const FINDINGS = {
  type: 'object',
  properties: { findings: { type: 'array', items: { type: 'string' } } },
  required: ['findings'],
} as const

const submit = (answer: string) => () => call('submit', { answer })

describe('the result that a supervisor submits', () => {
  it('H9: with attempts 3, a rejected submit gives another round with the reasons, charged to the same limits', async () => {
    const told: string[] = []
    const boss = turns(
      submit('it is fine'),
      (asked) => {
        told.push(asked)
        return call('submit', { answer: '{ "findings": "none" }' })
      },
      (asked) => {
        told.push(asked)
        return call('submit', { answer: '{ "findings": ["a hole"] }' })
      },
    )
    const { runner, boss: agent, workingFolder } = createTeam({ boss }, { boss: { attempts: 3 } })
    const result = await runner.run({ agent, task: 'go', workingFolder, outputSchema: FINDINGS })
    expect(result).toMatchObject({ status: 'completed', structured: { findings: ['a hole'] } })
    expect(result.usage).toMatchObject({ modelCalls: { settled: 3 }, toolCalls: { settled: 0 } })
    expect(told[0]).toMatch(/^Your answer was not accepted \(attempt 1 of 3\)\. .*It is not JSON\./)
    expect(told[1]).toMatch(/^Your answer was not accepted \(attempt 2 of 3\)\. .*\/findings/)
    expect(readFileSync(result.artifacts.transcript, 'utf8').split('"sentBackBy":"schema"')).toHaveLength(3)
  })

  it('is rejected for good when no attempt is left, and the submission is kept', async () => {
    const boss = turns(submit('no'), submit('still no'), submit('{ "findings": [] }'))
    const { runner, boss: agent, workingFolder } = createTeam({ boss }, { boss: { attempts: 2 } })
    const result = await runner.run({ agent, task: 'go', workingFolder, outputSchema: FINDINGS })
    expect(result).toMatchObject({ status: 'failed', output: null, partialOutput: 'still no' })
    expect(result.usage.modelCalls.settled).toBe(2)
  })

  it('is never accepted when a limit is reached in a later round, which ends with its last text', async () => {
    const boss = turns(submit('no'), () => call('budget', { action: 'status' }))
    const { runner, boss: agent, workingFolder } = createTeam({ boss }, { boss: { attempts: 5 } })
    const layers = [{ layer: 'call', limits: { modelCalls: 3 } } as const]
    const result = await runner.run({ agent, task: 'go', workingFolder, outputSchema: FINDINGS, layers })
    expect(result).toMatchObject({ status: 'limit-reached', output: null, breach: { meter: 'modelCalls' } })
    expect(result.usage.modelCalls.settled).toBe(3)
  })
})
