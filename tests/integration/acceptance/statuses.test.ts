import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bash, createAcceptanceStage, json, reporting, satisfied, verdict } from './acceptance.fixture.ts'

const criteria = ['The test passes']
const tests = { id: 'tests', command: 'test -f fixed' }

describe('the acceptance of a run', () => {
  it('checked: an honest report is compared with the contract, and is not part of the answer', async () => {
    const stage = createAcceptanceStage([reporting(satisfied, 'It was a typo.')])
    const result = await stage.run({ criteria })
    expect(result).toMatchObject({
      status: 'completed',
      output: 'It was a typo.',
      error: null,
      acceptance: {
        status: 'checked',
        criteria: [{ id: 'criterion-1', must: 'The test passes', status: 'satisfied', evidence: 'seen' }],
        verify: [],
        review: null,
        report: satisfied,
        problems: [],
        finalizationTurns: 0,
      },
    })
    expect(stage.told(0)).toContain('The test passes')
    expect(stage.told(0)).toContain('acceptance-report')
    expect(json(result.artifacts.meta).acceptance).toEqual(result.acceptance)
    expect(readFileSync(result.artifacts.output!, 'utf8')).toBe('It was a typo.\n')
    expect(stage.model.requests).toHaveLength(1)
  })

  it('verified: the commands were really run, in the folder of the work, and are not tool calls', async () => {
    const stage = createAcceptanceStage([bash('echo yes > fixed'), { text: 'Fixed.' }], {
      limits: { limits: { toolCalls: 1 } },
    })
    const result = await stage.run({ verify: [{ id: 'tests', command: 'cat fixed; pwd' }] })
    expect(result).toMatchObject({ status: 'completed', output: 'Fixed.', acceptance: { status: 'verified' } })
    expect(result.acceptance!.verify).toMatchObject([{ id: 'tests', status: 'passed', exitCode: 0 }])
    expect(result.acceptance!.verify[0]!.output).toBe(`yes\n${stage.workingFolder}`)
    expect(result.usage.toolCalls.settled).toBe(1)
  })

  it('H7: a false claim about the tests is sent back with their output, is repaired, and counts', async () => {
    const stage = createAcceptanceStage([
      reporting(satisfied, 'All tests pass.'),
      bash('touch fixed'),
      reporting(satisfied, 'Now they do.'),
    ])
    const failing = { id: 'tests', command: 'test -f fixed || { echo 1 failed; exit 3; }' }
    const result = await stage.run({ criteria, verify: [failing] })
    expect(result).toMatchObject({ status: 'completed', output: 'Now they do.' })
    expect(result.acceptance).toMatchObject({ status: 'verified', finalizationTurns: 1, problems: [] })
    expect(stage.told(1)).toContain('verify tests failed (exit code 3)')
    expect(stage.told(1)).toContain('1 failed')
    expect(stage.told(1)).toContain('turn 1 of 3')
  })

  it('H7: rejected when no turn is left, with the reason; the output is kept', async () => {
    const stage = createAcceptanceStage(Array.from({ length: 9 }, () => reporting(satisfied, 'All tests pass.')))
    const result = await stage.run({ criteria, verify: [tests], maxFinalizationTurns: 2 })
    expect(result).toMatchObject({
      status: 'failed',
      output: null,
      partialOutput: 'All tests pass.',
      error: 'Acceptance rejected: verify tests failed (exit code 1): test -f fixed',
      acceptance: { status: 'rejected', finalizationTurns: 2, verify: [{ status: 'failed', exitCode: 1 }] },
    })
    expect(stage.model.requests).toHaveLength(3)
    expect(stage.runner.tasks.get(stage.id)).toMatchObject({ status: 'failed', error: result.error })
    expect((await stage.governor.find(stage.id))?.status()).toBe('failed')
  })

  it('an agent without a report is asked for it, and its answer stays the same', async () => {
    const stage = createAcceptanceStage([{ text: 'I fixed it.' }, reporting(satisfied, '')])
    const result = await stage.run({ criteria })
    expect(result).toMatchObject({ output: 'I fixed it.', acceptance: { status: 'checked', finalizationTurns: 1 } })
    expect(stage.told(1)).toContain('There is no acceptance-report block')
  })

  it('an agent that never reports is rejected', async () => {
    const stage = createAcceptanceStage(Array.from({ length: 9 }, () => ({ text: 'I fixed it.' })))
    const result = await stage.run({ criteria, maxFinalizationTurns: 1 })
    expect(result).toMatchObject({ status: 'failed', acceptance: { status: 'rejected', report: null } })
    expect(result.error).toBe('Acceptance rejected: There is no acceptance-report block in your answer.')
  })

  it('attested: an honest "not satisfied" is sent back, and is rejected in the end', async () => {
    const honest = { criteriaSatisfied: [{ id: 'criterion-1', status: 'not-satisfied', evidence: '2 fail' }] }
    const stage = createAcceptanceStage([reporting(honest), reporting(honest)])
    const result = await stage.run({ criteria, maxFinalizationTurns: 1 })
    expect(result.error).toBe('Acceptance rejected: criterion-1 is not-satisfied: The test passes (2 fail)')
    expect(result.acceptance).toMatchObject({ status: 'rejected', report: honest })
  })

  it('claimed: out of budget before it could be verified, never verified', async () => {
    const limits = { limits: { modelCalls: 2 } }
    const stage = createAcceptanceStage([bash('touch fixed'), { text: 'Almost.' }], { limits })
    const result = await stage.run({ criteria, verify: [tests] })
    expect(result).toMatchObject({ status: 'limit-reached', breach: { meter: 'modelCalls' } })
    expect(result.acceptance).toMatchObject({ status: 'claimed', verify: [{ status: 'not-run' }] })
  })

  it('claimed: finalization turns come from the same limits', async () => {
    const limits = { limits: { modelCalls: 2 } }
    const stage = createAcceptanceStage(
      Array.from({ length: 9 }, () => reporting(satisfied, 'All tests pass.')),
      { limits },
    )
    const result = await stage.run({ criteria, verify: [tests] })
    expect(result).toMatchObject({ status: 'limit-reached', acceptance: { status: 'claimed', finalizationTurns: 1 } })
    expect(stage.model.requests).toHaveLength(2)
  })

  it('H8: reviewed: a reviewer with its own scope below the run accepts it', async () => {
    const stage = createAcceptanceStage([reporting(satisfied, 'Fixed.')], {
      review: [verdict('accepted', 'well done')],
    })
    const result = await stage.run({ criteria, review: { focus: 'the names' } })
    const { acceptance } = result
    expect(acceptance).toMatchObject({
      status: 'reviewed',
      review: { agent: 'reviewer', id: `${stage.id}.review-1`, status: 'completed', verdict: 'accepted' },
    })
    expect((await stage.governor.find(`${stage.id}.review-1`))?.path).toBe('slow/review-1')
    const asked = JSON.stringify(stage.judge.requests[0]!.prompt)
    for (const part of ['the names', 'The test passes', 'Make the test pass.', 'Fixed.']) expect(asked).toContain(part)
    expect(result.usage.modelCalls.settled).toBe(2)
  })

  it('H8: what a reviewer refuses is sent back with its findings, and reviewed again', async () => {
    const stage = createAcceptanceStage([{ text: 'First.' }, { text: 'Second.' }], {
      review: [verdict('rejected', 'a.ts:3 is wrong'), verdict('accepted')],
    })
    const result = await stage.run({ review: {} })
    expect(result).toMatchObject({ status: 'completed', output: 'Second.' })
    expect(result.acceptance).toMatchObject({ status: 'reviewed', review: { id: `${stage.id}.review-2` } })
    expect(stage.told(1)).toContain('reviewer rejects it: a.ts:3 is wrong')
  })

  it('rejected: a reviewer that never accepts', async () => {
    const stage = createAcceptanceStage([{ text: 'First.' }, { text: 'Second.' }], {
      review: [verdict('rejected', 'no'), verdict('rejected', 'still no')],
    })
    const result = await stage.run({ review: {}, maxFinalizationTurns: 1 })
    expect(result).toMatchObject({
      status: 'failed',
      error: 'Acceptance rejected: reviewer rejects it: still no',
      acceptance: { status: 'rejected', review: { verdict: 'rejected', findings: ['still no'] } },
    })
  })

  it('a reviewer that reaches its own limit has not accepted, and the agent is not asked to repair that', async () => {
    const stage = createAcceptanceStage([{ text: 'Done.' }], {
      review: [{ text: 'Let me think.' }, { text: 'I think…' }],
      reviewerLimits: { limits: { modelCalls: 1 } },
    })
    const result = await stage.run({ verify: [{ id: 'yes', command: 'true' }], review: {} })
    expect(result).toMatchObject({ status: 'failed', acceptance: { status: 'rejected' } })
    expect(result.acceptance!.review).toMatchObject({ status: 'limit-reached', verdict: null })
    expect(result.error).toContain(
      `Acceptance rejected: reviewer has not judged it (limit-reached, ${stage.id}.review-1)`,
    )
    expect(stage.model.requests).toHaveLength(1)
  })

  it('a reviewer that pauses pauses the run, and both continue when the run is resumed', async () => {
    const stage = createAcceptanceStage([{ text: 'Done.' }], {
      review: [bash('true'), verdict('accepted')],
      reviewerLimits: { limits: { modelCalls: { max: 1, action: 'pause' } } },
    })
    const paused = await stage.run({ review: {} })
    expect(paused).toMatchObject({ status: 'paused', acceptance: { review: { status: 'paused', verdict: null } } })
    const review = (await stage.governor.find(`${stage.id}.review-1`))!
    await review.setLimits({ modelCalls: 5 })
    const resumed = await stage.runner.resume(stage.id)
    expect(resumed).toMatchObject({ status: 'completed', output: 'Done.', acceptance: { status: 'reviewed' } })
    expect(stage.model.requests).toHaveLength(1)
  })

  it('a run limit that ends the review ends the run as verified, without blaming the reviewer', async () => {
    const stage = createAcceptanceStage([{ text: 'Done.' }], {
      review: [{ text: 'Let me think.' }, { text: 'I think…' }],
      limits: { limits: { modelCalls: 2 } },
    })
    const result = await stage.run({ verify: [{ id: 'yes', command: 'true' }], review: {} })
    expect(result).toMatchObject({ status: 'limit-reached', breach: { scope: stage.id, meter: 'modelCalls' } })
    expect(result).toMatchObject({ partialOutput: 'Done.', acceptance: { status: 'verified' } })
  })

  it('an optional review is recorded, and does not decide', async () => {
    const stage = createAcceptanceStage([reporting(satisfied)], { review: [verdict('rejected', 'meh')] })
    const result = await stage.run({ criteria, review: { required: false } })
    expect(result).toMatchObject({ status: 'completed', acceptance: { status: 'checked' } })
    expect(result.acceptance!.review).toMatchObject({ verdict: 'rejected', findings: ['meh'] })
  })

  it('an optional command is run, recorded, and does not decide', async () => {
    const stage = createAcceptanceStage([{ text: 'Done.' }])
    const result = await stage.run({ verify: [{ id: 'lint', command: 'false', allowFailure: true }] })
    expect(result.acceptance).toMatchObject({ status: 'verified', verify: [{ status: 'failed', allowFailure: true }] })
  })

  it('a structured answer is followed by its report', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const stage = createAcceptanceStage([reporting(satisfied, '{ "n": 1 }')])
    const result = await stage.run({ criteria }, { outputSchema })
    expect(result).toMatchObject({ structured: { n: 1 }, acceptance: { status: 'checked' } })
    expect(stage.told(0)).toContain('After the JSON value')
  })

  it('false in a call clears the contract of the agent; a contract in a call replaces it', async () => {
    const { parseAcceptance } = await import('../../../src/agents/index.ts')
    const agent = { acceptance: parseAcceptance({ verify: [tests] }) }
    const cleared = await createAcceptanceStage([{ text: 'Done.' }], { agent }).run(undefined, { acceptance: false })
    expect(cleared).toMatchObject({ status: 'completed', output: 'Done.' })
    expect(cleared).not.toHaveProperty('acceptance')
    const other = await createAcceptanceStage([{ text: 'Done.' }], { agent }).run({
      verify: [{ id: 'other', command: 'true' }],
    })
    expect(other.acceptance!.verify).toMatchObject([{ id: 'other' }])
    const own = await createAcceptanceStage([{ text: 'a' }, bash('touch fixed'), { text: 'b' }], { agent }).run(
      undefined,
    )
    expect(own).toMatchObject({ output: 'b', acceptance: { status: 'verified' } })
  })

  it('H9: a rejected attempt gives another, with its own turns', async () => {
    const stage = createAcceptanceStage([{ text: 'a' }, { text: 'b' }, bash('touch fixed'), { text: 'c' }], {
      agent: { attempts: 2 },
    })
    const result = await stage.run({ verify: [tests], maxFinalizationTurns: 1 })
    expect(result).toMatchObject({ status: 'completed', output: 'c', acceptance: { status: 'verified' } })
    expect(stage.told(2)).toContain('not accepted (attempt 1 of 2). Acceptance rejected: verify tests failed')
    expect(existsSync(join(stage.workingFolder, 'fixed'))).toBe(true)
  })

  it('H6: an invalid contract is refused before anything runs', async () => {
    const stage = createAcceptanceStage([{ text: 'Done.' }])
    await expect(stage.run({})).rejects.toThrow('acceptance is an object, but must be a contract with at least one of')
    await expect(stage.run({ criteria, maxFinalizationTurns: 11 })).rejects.toThrow(
      'acceptance.maxFinalizationTurns is 11, but must be a whole number from 1 to 10',
    )
    await expect(stage.run({ review: { agent: 'nobody' } })).rejects.toThrow('nobody')
    expect(stage.model.requests).toHaveLength(0)
  })
})
