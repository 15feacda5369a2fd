import { expect, it } from 'vitest'
import { AUDIT, expectKept, expectTwentyOf, runLimits, word } from './disasters.fixture.ts'
import { createGroupStage } from './modes.fixture.ts'

it('905 agents over five answers, under a limit of 20: the others are refused with the reason', () =>
  expectTwentyOf(905, 181))

it('547 agents in one workflow, limited only by the tokens of the run: the limit holds', async () => {
  const a = word()
  const stage = createGroupStage({ a })
  const { runner, workingFolder } = stage
  const layers = runLimits({ tokens: '60k' })
  const result = await runner.chain({ workingFolder, chain: AUDIT, task: 'it', layers })
  expect(result).toMatchObject({ status: 'limit-reached', breach: { meter: 'tokens' } })
  const refused = result.results.filter(({ status }) => status === 'limit-reached')
  expect(refused.length).toBeGreaterThan(480)
  for (const { error } of refused) {
    expect(error).toMatch(/[Tt]he tokens limit of "audit" .* To allow more, change tokens in the call of the run/)
  }
  await expectKept(stage, result.usage)
})
