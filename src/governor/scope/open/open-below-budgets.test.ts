import { describe, expect, it } from 'vitest'
import { onlyTightens, parseLimits } from '../../../policy/index.ts'
import { createMemoryStore } from '../../../stores/memory/index.ts'
import { createGovernor } from '../../create-governor.ts'
import { mustReserve } from '../../fixtures/governor.fixture.ts'

const USD = 1_000_000_000
const published = (limits: object) => ({ max_cost_usd: 50, ...limits })

function governors() {
  const store = createMemoryStore({ isShared: true })
  return { store, here: createGovernor({ store, holder: 'here' }), there: createGovernor({ store, holder: 'there' }) }
}

describe('a budget of the team or the user inside execution_limits', () => {
  it('is one budget for all runs of the team, in any process', async () => {
    const { here, there } = governors()
    const executionLimits = published({ team_budget_usd: 10 })
    const first = await here.open({ name: 'first', team: 'core', executionLimits })
    const second = await there.open({ name: 'second', team: 'core', executionLimits })
    expect([first.path, second.path]).toEqual(['team:core/first', 'team:core/second'])
    await (await mustReserve(first, { cost: 7 * USD })).settle()
    expect(await second.reserve({ cost: 4 * USD }, { waitMs: 0 })).toMatchObject({
      kind: 'refused',
      breach: { scope: 'team:core', limit: 10 * USD, settled: 7 * USD },
    })
    await mustReserve(second, { cost: 3 * USD })
  })

  it('is the user’s per day, within the team if both are named', async () => {
    const { here } = governors()
    const executionLimits = published({ team_budget_usd: 100, user_budget_usd: 5 })
    const run = await here.open({ name: 'run', team: 'core', user: 'ann', executionLimits })
    expect(run.path).toBe('team:core/user:ann/run')
    expect(run.limits().map(({ meter, max, per }) => [meter, max, per])).toEqual(
      expect.arrayContaining([
        ['cost', 100 * USD, null],
        ['cost', 5 * USD, 'day'],
      ]),
    )
    expect(await run.reserve({ cost: 6 * USD }, { waitMs: 0 })).toMatchObject({
      kind: 'refused',
      breach: { scope: 'user:ann', per: 'day' },
    })
  })

  it('never loosens a tighter budget of an operator', async () => {
    const { here } = governors()
    const team = await here.budget('team:core', { limits: { cost: 2 } })
    const run = await here.open({ name: 'run', team: 'core', executionLimits: published({ team_budget_usd: 40 }) })
    expect((await team.usage()).cost.limit).toBe(2 * USD)
    expect(await run.reserve({ cost: 3 * USD }, { waitMs: 0 })).toMatchObject({ kind: 'refused' })
  })

  it.each([
    ['a larger one', { cost: 100 }, '$100'],
    ['one for each day only', { cost: { max: 10, per: 'day' } }, '$10/day'],
    ['one that only warns', { cost: { max: 10, action: 'warn' } }, '$10'],
  ] as const)('is refused, in dollars, if others share %s, and changes nothing for them', async (_, limits, has) => {
    const { here } = governors()
    const team = await here.budget('team:core', { limits })
    const before = team.limits()
    const opening = here.open({ name: 'run', team: 'core', executionLimits: published({ team_budget_usd: 30 }) })
    await expect(opening).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(opening).rejects.toThrow(
      `executionLimits.team_budget_usd is "$30", but must be one that the budget team:core has (${has})`,
    )
    await expect(opening).rejects.toThrow('stint budget set team:core --limit cost=30')
    expect((await here.find('team:core'))?.limits()).toEqual(before)
  })

  it('is set by the first of two concurrent runs with different amounts, and refused to the one with the smaller', async () => {
    const { here, there } = governors()
    const open = (governor: typeof here, name: string, usd: number) =>
      governor.open({ name, team: 'core', executionLimits: published({ team_budget_usd: usd }) })
    const outcomes = await Promise.allSettled([open(here, 'first', 20), open(there, 'second', 10)])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((await (await here.budget('team:core')).usage()).cost.limit).toBe(20 * USD)
    await expect(open(there, 'third', 30)).resolves.toMatchObject({ path: 'team:core/third' })
  })

  it('is not set by a run that finds the budget without a cost limit: others share it', async () => {
    const { here, there } = governors()
    await here.budget('team:core', { limits: { toolCalls: 50 } })
    const opening = there.open({ name: 'run', team: 'core', executionLimits: published({ team_budget_usd: 20 }) })
    await expect(opening).rejects.toThrow('has (no cost limit): one run cannot change what others share')
    await expect(opening).rejects.toThrow('stint budget set team:core --limit cost=20')
    const usage = await (await there.budget('team:core')).usage()
    expect([usage.cost.limit, usage.toolCalls.limit]).toEqual([null, 50])
  })

  it('is created once by two concurrent runs, and a run with a different limit is refused', async () => {
    const { here, there } = governors()
    const open = (governor: typeof here, name: string, usd: number) =>
      governor.open({ name, team: 'core', executionLimits: published({ team_budget_usd: usd }) })
    const outcomes = await Promise.allSettled([open(here, 'first', 20), open(there, 'second', 10)])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((await (await there.budget('team:core')).usage()).cost.limit).toBe(20 * USD)
  })

  it('says how to name the team or the user if none is known', async () => {
    const { here } = governors()
    const open = (limits: object) => here.open({ name: 'run', executionLimits: published(limits) })
    await expect(open({ team_budget_usd: 100 })).rejects.toThrow(
      'executionLimits.team_budget_usd is "$100", but must be given with the name of the team whose budget it is: ' +
        "open({ team: 'core' }) in a program, --team core on the command line, or team: core in your config.",
    )
    await expect(open({ user_budget_usd: 5 })).rejects.toThrow('--user ann')
    expect(await here.find('run')).toBe(null)
  })

  it('is known from the budget that a run is within, even for a child', async () => {
    const { here } = governors()
    const within = await here.budget('team:core', { limits: { cost: 5 } })
    const run = await here.open({ name: 'run', within, executionLimits: published({ team_budget_usd: 8 }) })
    const child = await run.open({ name: 'child', execution_limits: published({ team_budget_usd: 9 }) })
    expect(child.path).toBe('team:core/run/child')
    await expect(run.open({ name: 'other', execution_limits: published({ team_budget_usd: 1 }) })).rejects.toThrow(
      'team_budget_usd is "$1"',
    )
  })

  it('from an untrusted file creates and changes no budget, and only bounds its own run', async () => {
    const { here, store } = governors()
    const sharedLimits = {
      team: [onlyTightens(parseLimits({ cost: 3 }, { layer: 'project', file: 'agent.md' }))],
      user: [],
    }
    const run = await here.open({ name: 'run', sharedLimits, layers: [{ layer: 'user', limits: { cost: 20 } }] })
    expect(await run.reserve({ cost: 4 * USD }, { waitMs: 0 })).toMatchObject({ kind: 'refused' })
    const team = await here.budget('team:core', { limits: { cost: 100 } })
    const below = await here.open({ name: 'below', team: 'core', sharedLimits })
    expect(await below.reserve({ cost: 4 * USD }, { waitMs: 0 })).toMatchObject({ kind: 'refused' })
    expect((await team.usage()).cost.limit).toBe(100 * USD)
    expect((await store.list({ standing: 'open', atMs: 0 })).map(({ id }) => id)).not.toContain('user:ann')
  })

  it('does not create a budget for a team without a limit', async () => {
    const { here } = governors()
    const opening = here.open({ name: 'run', team: 'croe', limits: { cost: 1 } })
    await expect(opening).rejects.toMatchObject({ code: 'unknown_scope' })
    await expect(opening).rejects.toThrow('There is no budget "team:croe". To create it: governor.budget("team:croe"')
    expect(await here.find('team:croe')).toBe(null)
  })

  it('refuses a budget elsewhere, or a user of another team: a run has one place', async () => {
    const { here } = governors()
    const other = await here.budget('other', { limits: { cost: 5 } })
    await here.budget('team:core', { limits: { cost: 5 } })
    await here.budget('user:ann', { limits: { cost: 5 } })
    const run = await here.open({ name: 'run', within: other })
    await expect(here.open({ name: 'x', within: run, team: 'core' })).rejects.toThrow('"other/run" pays')
    await expect(here.open({ name: 'x', team: 'core', user: 'ann' })).rejects.toThrow(
      'user:ann is a budget of its own in this ledger, not within team:core',
    )
  })

  it('refuses a user within a team that limits concurrency, since its runs would not count there', async () => {
    const { here } = governors()
    await here.budget('team:core', { limits: { cost: 5, concurrency: 1 } })
    const executionLimits = published({ user_budget_usd: 1 })
    await expect(here.open({ name: 'x', team: 'core', user: 'ann', executionLimits })).rejects.toThrow(
      'team:core limits concurrency',
    )
  })

  it('refuses children opened together with a budget that no scope above them has', async () => {
    const { here } = governors()
    const executionLimits = published({ team_budget_usd: 1 })
    const alone = await here.open({ name: 'alone' })
    await expect(alone.openAll([{ name: 'a' }, { name: 'b', executionLimits }])).rejects.toThrow('team_budget_usd')
    const team = await here.budget('team:core', { limits: { cost: 5 } })
    const run = await here.open({ name: 'run', within: team })
    await expect(run.openAll([{ name: 'a', executionLimits }])).rejects.toThrow('stint budget set team:core')
    const held = published({ team_budget_usd: 5 })
    expect(await run.openAll([{ name: 'a', executionLimits: held }])).toHaveLength(1)
  })
})
