import { expect, it } from 'vitest'
import type { LedgerStore } from '../../core/index.ts'
import { limitFixture } from '../../core/limits/limit.fixture.ts'
import { parseLimits } from '../../policy/index.ts'
import { findScope } from '../find/find-scope.ts'
import { createOperator } from '../operator.fixture.ts'
import { changedLimitsView, changeLimits } from './change-limits.ts'

const written = (limits: string) => [parseLimits([limits], { layer: 'call', flag: '--limit' })]
const ceilings = [parseLimits(['toolCalls=20'], { layer: 'ceiling' })]

it('the limits of a run are raised up to the ceilings of the config, those of a budget above them', async () => {
  const operator = createOperator()
  const limits = [limitFixture('toolCalls', 5)]
  await operator.open({ id: 'run', limits })
  await operator.open({ id: 'team', kind: 'lasting', owner: null, limits })
  for (const [id, limit] of Object.entries({ run: 20, team: 50 })) {
    const scope = await findScope(operator, id)
    const changed = await changeLimits(operator, scope, { layers: written('toolCalls=50'), ceilings })
    expect(changedLimitsView(changed)).toMatchObject({ id, limits: [{ meter: 'toolCalls', limit }] })
  }
})

it('a change that conflicts with another one starts over from the new limits, and gives up after ten times', async () => {
  const operator = createOperator()
  await operator.open({ id: 'run', limits: [limitFixture('toolCalls', 5), limitFixture('tokens', 100)] })
  const scope = await findScope(operator, 'run')
  let others = 1
  const setLimits: LedgerStore['setLimits'] = async (request) => {
    if (others-- > 0) await changeLimits(operator, scope, { layers: written('tokens=500'), ceilings: [] })
    return operator.store.setLimits(request)
  }
  const busy = { ...operator, store: { ...operator.store, setLimits } }
  const changed = await changeLimits(busy, scope, { layers: written('toolCalls=9'), ceilings: [] })
  expect(changed.limits.map(({ limit }) => [limit.meter, limit.max])).toEqual([
    ['toolCalls', 9],
    ['tokens', 500],
  ])
  others = Number.POSITIVE_INFINITY
  const hopeless = changeLimits(busy, scope, { layers: written('toolCalls=7'), ceilings: [] })
  await expect(hopeless).rejects.toMatchObject({ code: 'store_busy', retryable: true })
})
