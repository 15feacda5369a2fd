import { describe, expect, it } from 'vitest'
import { parseLimit } from '../limits/parse-limit.ts'
import { explainLimits } from './explain-limits.ts'
import { formatExplanation } from './format-explanation.ts'
import { presetLayer } from './preset-layer.ts'
import { resolveLimits } from './resolve-limits.ts'

const resolved = resolveLimits([
  presetLayer('developer'),
  { layer: 'project', file: 'stint.yaml', line: 4, field: 'limits', limits: { cost: [5, { max: 10, per: 'day' }] } },
  parseLimit('turns=50'),
  { layer: 'ceiling', file: '/etc/stint.yaml', limits: { cost: 3 } },
])

describe('explainLimits', () => {
  it('shows every effective limit with its layer, its place and what it overrides', () => {
    const [toolCalls, cost, daily, time] = explainLimits(resolved)
    expect(toolCalls).toMatchObject({
      meter: 'toolCalls',
      maxText: '50',
      layer: 'call',
      place: 'the flag --limit turns=50',
      overrides: [{ layer: 'preset', place: 'the preset developer', maxText: '25' }],
      note: null,
    })
    expect(cost).toMatchObject({
      maxText: '$3.00',
      layer: 'ceiling',
      place: 'cost in /etc/stint.yaml',
      overrides: [
        { layer: 'project', place: 'limits.cost[0] in stint.yaml:4', maxText: '$5.00' },
        { layer: 'preset', place: 'the preset developer', maxText: '$1.00' },
      ],
      note: 'limits.cost[0] in stint.yaml:4 asks for $5.00; the ceiling allows $3.00 (cost in /etc/stint.yaml).',
    })
    expect(daily).toMatchObject({ maxText: '$10.00', per: 'day', timeZone: 'UTC', overrides: [], note: null })
    expect(time).toMatchObject({ maxText: '10m', place: 'the preset developer', overrides: [] })
  })

  it('shows a removal that a higher layer set again', () => {
    const again = resolveLimits([
      { layer: 'project', file: 'stint.yaml', limits: { cost: null } },
      parseLimit('cost=2'),
    ])
    expect(explainLimits(again)[0]!.overrides).toEqual([
      { layer: 'project', place: 'cost in stint.yaml', maxText: 'unlimited' },
    ])
  })
})

describe('explainLimits with two ceilings on one meter', () => {
  it('shows neither as overridden by the other', () => {
    const both = resolveLimits([
      { layer: 'call', limits: { cost: null } },
      { layer: 'ceiling', limits: ['cost=10', 'tokens=5'] },
      { layer: 'ceiling', limits: ['cost=5:warn'] },
    ])
    const rows = explainLimits(both).filter(({ meter }) => meter === 'cost')
    expect(rows.map(({ maxText, overrides }) => [maxText, overrides.map((step) => step.maxText)])).toEqual([
      ['$10.00', ['unlimited']],
      ['$5.00', ['unlimited']],
    ])
  })
})

describe('formatExplanation', () => {
  it('is an aligned table in plain text', () => {
    expect(formatExplanation(explainLimits(resolved)).split('\n')).toEqual([
      'limit  max         action     layer    set by                              instead of',
      'turns  50          terminate  call     the flag --limit turns=50           25 (preset)',
      'cost   $3.00       terminate  ceiling  cost in /etc/stint.yaml             $5.00 (project), $1.00 (preset)',
      '  limits.cost[0] in stint.yaml:4 asks for $5.00; the ceiling allows $3.00 (cost in /etc/stint.yaml).',
      'cost   $10.00/day  terminate  project  limits.cost[1].max in stint.yaml:4',
      'time   10m         terminate  preset   the preset developer',
    ])
  })

  it('shows how far a limit can be raised, or that it is at its ceiling', () => {
    const layers = [
      { layer: 'call', limits: { turns: 4, cost: 1 } },
      { layer: 'ceiling', file: 'c.yaml', limits: { turns: 4, cost: 5 } },
    ] as const
    const lines = formatExplanation(explainLimits(resolveLimits(layers))).split('\n')
    expect(lines).toContain('  is at its ceiling (turns in c.yaml)')
    expect(lines).toContain('  can be raised to $5.00 (cost in c.yaml)')
  })

  it('says that there are no limits', () => {
    expect(formatExplanation([])).toBe('No limits.')
  })

  it('escapes control characters in a file name', () => {
    const hostile = resolveLimits([{ layer: 'project', file: 'a\n\u001b[31mb.yaml', limits: { cost: 1 } }])
    expect(formatExplanation(explainLimits(hostile)).split('\n')).toHaveLength(2)
    expect(formatExplanation(explainLimits(hostile))).not.toContain('\u001b')
  })
})
