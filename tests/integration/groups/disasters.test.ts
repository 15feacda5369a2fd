import { describe, expect, it } from 'vitest'
import { call, createTeam } from '../subagents/subagents.fixture.ts'
import { AUDIT, expectKept, expectTwentyOf, ordersOnce, runLimits, word } from './disasters.fixture.ts'
import { createGroupStage, modelThat } from './modes.fixture.ts'

// What has happened to users of other programs: agents that do the same, under realistic limits.

describe('an agent that starts itself, 50 deep', () => {
  it.each([
    [
      'ends at the default of two levels',
      {},
      {},
      2,
      /The depth limit of "boss" is used up: 2 of 2 used, 1 more requested\..* To allow more, write depth yourself/,
    ],
    [
      'ends at the tokens of the run where 60 levels are allowed',
      { depth: 60 },
      { depth: 60, concurrency: 60, toolCalls: 100 },
      49,
      /and the tokens limit of "boss" leaves .* To allow more, change tokens in the call of the run\. At least .* is needed/,
    ],
    [
      'ends at the spawns of the run where 60 levels are allowed',
      { depth: 60, spawns: 10 },
      { depth: 60 },
      10,
      /The spawns limit of "boss" is used up: 10 of 10 used, 1 more requested\..* To allow more, change spawns in the call/,
    ],
  ])('%s', async (_, limits, own, mostAgents, refusal) => {
    const digs = modelThat((told, { messages }) => {
      if (messages.at(-1)?.role === 'tool') return { text: told }
      const level = Number(told)
      return level === 50 ? { text: 'the bottom' } : call('subagent', { agent: 'boss', task: String(level + 1) })
    })
    const stage = createTeam({ boss: digs }, { limits: { boss: { limits: own } } })
    const { runner, workingFolder, boss: agent } = stage
    const layers = runLimits({ tokens: '60k', ...limits })
    const result = await runner.run({ agent, task: '0', workingFolder, layers })
    expect(result.status).toBe('completed')
    expect(result.output).toMatch(refusal)
    expect(result.usage.spawns.settled).toBeLessThanOrEqual(mostAgents)
    await expectKept(stage, result.usage)
  })
})

describe('more agents than a limit of 20', () => {
  it('905 in one call: none of them is started, and the agent is told why', async () => {
    const a = word()
    const stage = createTeam({ boss: ordersOnce({ tasks: [{ agent: 'a', task: 'go', count: 905 }] }), a })
    const { runner, workingFolder, boss: agent } = stage
    const layers = runLimits({ tokens: '60k', spawns: 20 })
    const result = await runner.run({ agent, task: 'go', workingFolder, layers })
    expect(result.output).toMatch(
      /The spawns limit of "boss" leaves 20 \(0 of 20 used\), and 905 is requested\..* To allow more, change spawns in the call/,
    )
    expect(a.book).toHaveLength(0)
    await expectKept(stage, result.usage)
  })

  it('60 over three answers: 20 are started, and each of the others is refused with the reason', () =>
    expectTwentyOf(60, 20))
})

describe('a workflow that plans 547 agents', () => {
  it('is counted before anything runs, and ends at the step that exceeds the agents of the run', async () => {
    const a = word()
    const stage = createGroupStage({ a })
    const { runner, workingFolder } = stage
    const request = { workingFolder, chain: AUDIT, task: 'it', layers: runLimits({ tokens: '60k', spawns: 100 }) }
    const plan = await runner.plan(request)
    expect(plan).toMatchObject({ fits: false, agents: 547 })
    expect(plan.breaches.map(({ meter, limit, worstCase }) => [meter, limit, worstCase])).toEqual(
      expect.arrayContaining([
        ['spawns', 100, 547],
        ['tokens', 60_000, 547 * 60_000],
      ]),
    )
    const result = await runner.chain(request)
    expect(result.error).toMatch(
      /^Step 2: 500 children .* The spawns limit of "audit" leaves 99 \(1 of 100 used\), and 500 is requested/,
    )
    expect(a.book).toHaveLength(1)
    await expectKept(stage, result.usage)
  })
})
