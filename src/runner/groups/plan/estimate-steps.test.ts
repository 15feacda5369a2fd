import { describe, expect, it } from 'vitest'
import { parseLimits, resolveLimits } from '../../../policy/index.ts'
import { type ChildToPlan, planSteps, type StepToPlan } from './estimate-steps.ts'

const limitsFrom = (limits: Parameters<typeof parseLimits>[0]) =>
  resolveLimits([parseLimits(limits, { layer: 'call' })]).limits
const child = (limits: Parameters<typeof parseLimits>[0], more: Partial<ChildToPlan> = {}): ChildToPlan => ({
  agent: 'explore',
  label: null,
  count: 1,
  limits: limitsFrom(limits),
  maySpawn: false,
  reviews: 0,
  ...more,
})
const step = (children: readonly ChildToPlan[], concurrency = 4): StepToPlan => ({
  kind: children.length === 1 ? 'sequential' : 'parallel',
  label: null,
  children,
  concurrency,
})

describe('a plan', () => {
  it('adds up counters over steps, and time over sequential steps', () => {
    const plan = planSteps(
      [
        step([child({ cost: 1, time: '10m' })]),
        step([child({ cost: 0.5, time: '2m' }), child({ cost: 0.25, time: '3m' })]),
      ],
      limitsFrom({ cost: 2 }),
    )
    expect(plan).toMatchObject({ fits: true, agents: 3, breaches: [] })
    expect(plan.worstCase).toMatchObject({ cost: 1_750_000_000, time: 13 * 60_000, tokens: null })
  })

  it('says which limit of the run its worst case exceeds', () => {
    const plan = planSteps([step([child({ cost: 1 }, { count: 3 })])], limitsFrom({ cost: 2 }))
    expect(plan.fits).toBe(false)
    expect(plan.breaches).toEqual([
      {
        meter: 'cost',
        limit: 2_000_000_000,
        worstCase: 3_000_000_000,
        message: expect.stringContaining('the worst case is $3.00, and the limit is $2.00'),
      },
    ])
  })

  it('takes the smaller of an agent’s own limit and the run’s', () => {
    const [planned] = planSteps([step([child({ tokens: '90k' })])], limitsFrom({ tokens: '50k' })).steps
    expect(planned?.children[0]?.worstCase.tokens).toBe(50_000)
  })

  it('shows what neither bounds as null, also if a limit only warns', () => {
    const plan = planSteps([step([child({ cost: { max: 1, action: 'warn' } })])], [])
    expect(plan.worstCase.cost).toBeNull()
    expect(plan.fits).toBe(true)
  })

  it('runs as many rounds as the concurrency requires', () => {
    const plan = planSteps([step([child({ time: '1m' }, { count: 5 }), child({ time: '2m' })], 2)], [])
    expect(plan.worstCase.time).toBe(3 * 2 * 60_000)
  })

  it('counts the agents that agents may start, and compares them with spawns', () => {
    const limits = limitsFrom({ spawns: 20 })
    const plan = planSteps([step([child({ spawns: 4 }, { count: 8, maySpawn: true })])], limits)
    expect(plan).toMatchObject({ agents: 40, fits: false, breaches: [{ meter: 'spawns', limit: 20, worstCase: 40 }] })
    expect(planSteps([step([child({}, { maySpawn: true })])], []).agents).toBeNull()
  })

  it('counts nothing for a child that is started 0 times', () => {
    const plan = planSteps([step([child({}, { count: 0 })])], limitsFrom({ cost: 1 }))
    expect(plan).toMatchObject({ agents: 0, fits: true, worstCase: { cost: 0, time: 0 } })
  })

  it('is unbounded if a sum exceeds what a ledger can hold', () => {
    const plan = planSteps([step([child({ tokens: 999_999_999_999 }, { count: 10_000 })])], [])
    expect(plan.worstCase.tokens).toBeNull()
  })
})
