import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limitKey } from '../../core/limits/limit.ts'
import type { LimitsInput } from '../formats/limits-input.ts'
import { parseLimit } from '../limits/parse-limit.ts'
import { presetLayer } from './preset-layer.ts'
import type { LayerInput } from './read-layers.ts'
import { resolveLimits } from './resolve-limits.ts'
import { mostIn, shown } from './shown-limits.fixture.ts'

describe('a model', () => {
  const ceilingOf = (limits: LimitsInput): LayerInput => ({ layer: 'ceiling', limits })
  const model = (limits: LimitsInput): LayerInput => ({ layer: 'model', call: 'subagent', limits })

  it('may lower a limit, which keeps its action', () => {
    const { limits, notices } = resolveLimits([
      parseLimit('turns=25:pause'),
      model({ toolCalls: { max: 10, action: 'warn' } }),
    ])
    expect(limits).toMatchObject([{ max: 10, action: 'pause', source: { layer: 'model', call: 'subagent' } }])
    expect(notices).toMatchObject([{ kind: 'model-not-allowed', meter: 'toolCalls', per: null }])
    expect(notices[0]!.message).toBe(
      'A model may not change what happens at a limit: toolCalls keeps pause (toolCalls.max in the call of subagent asks for warn).',
    )
    const same = resolveLimits([parseLimit('turns=25:pause'), model({ toolCalls: { max: 10, action: 'pause' } })])
    expect(same.notices).toEqual([])
  })

  it('gets a notice that its time zone is ignored if it lowers a limit of another zone', () => {
    const { limits, notices } = resolveLimits([
      parseLimit('cost=10/day'),
      model({ cost: { max: 7, per: 'day', timeZone: 'Asia/Tokyo' } }),
    ])
    expect(limits).toMatchObject([{ max: 7e9, timeZone: 'UTC' }])
    expect(notices).toMatchObject([{ kind: 'model-not-allowed', meter: 'cost', per: 'day' }])
    expect(notices[0]!.message).toContain('cost keeps UTC (')
    expect(notices[0]!.message).toContain('asks for Asia/Tokyo)')
  })

  it('lowers a limit despite a lower ceiling on the days of another zone', () => {
    const tokyo = ceilingOf({ cost: { max: 5, per: 'day', timeZone: 'Asia/Tokyo' } })
    const lowered = resolveLimits([parseLimit('cost=10/day'), tokyo, model(['cost=7/day'])])
    expect(shown(lowered.limits)).toEqual(['cost/day=7 terminate', 'cost/day#ceiling@Asia/Tokyo=5 terminate'])
    expect(lowered.limits.map(({ timeZone }) => timeZone)).toEqual(['UTC', 'Asia/Tokyo'])
    expect(lowered.notices.map(({ kind }) => kind)).toEqual(['ceiling-applied'])
    const higher = resolveLimits([parseLimit('cost=10/day'), tokyo, model(['cost=12/day'])])
    expect(higher.notices.map(({ kind }) => kind)).toEqual(['ceiling-applied', 'model-not-lower'])
    expect(higher.notices[1]!.message).toContain('cost stays $10')
  })

  it('without a written limit, lowers the ceiling of its own zone and no others', () => {
    const ceilings = [
      ceilingOf({ cost: { max: 10, per: 'day' } }),
      ceilingOf({ cost: { max: 5, per: 'day', timeZone: 'Asia/Tokyo' } }),
    ]
    const asks = (timeZone: string, max: number) =>
      resolveLimits([...ceilings, model({ cost: { max, per: 'day', timeZone } })])
    expect(shown(asks('UTC', 7).limits)).toEqual(['cost/day=7 terminate', 'cost/day#ceiling@Asia/Tokyo=5 terminate'])
    expect(shown(asks('Asia/Tokyo', 3).limits)).toEqual(['cost/day=3 terminate', 'cost/day#ceiling=10 terminate'])
    expect(asks('Asia/Tokyo', 7).notices).toMatchObject([{ kind: 'model-not-lower' }])
    const berlin = asks('Europe/Berlin', 7)
    expect(berlin.limits).toMatchObject([{ max: 7e9, timeZone: 'Europe/Berlin' }, { max: 10e9 }, { max: 5e9 }])
    expect(berlin.notices).toEqual([])
  })

  it('may not raise or remove a limit, or change its action', () => {
    const { limits, notices } = resolveLimits([
      parseLimit('turns=25'),
      parseLimit('cost=1'),
      model({ toolCalls: 30, cost: null, onLimit: 'warn' }),
    ])
    expect(limits).toMatchObject([
      { max: 25, action: 'terminate', source: { layer: 'call' } },
      { max: 1e9, source: { layer: 'call' } },
    ])
    expect(notices.map(({ kind }) => kind)).toEqual(['model-not-lower', 'model-not-allowed', 'model-not-allowed'])
  })

  it('may set a new limit', () => {
    expect(resolveLimits([model({ messages: 5 })]).limits).toMatchObject([{ meter: 'messages', max: 5 }])
  })

  it('may not go below a floor', () => {
    const floor: LayerInput = { layer: 'floor', limits: { toolCalls: 5 } }
    const lowered = resolveLimits([parseLimit('turns=25'), floor, model({ toolCalls: 2 })])
    expect(lowered).toMatchObject({
      limits: [{ max: 5, source: { layer: 'model' } }],
      notices: [{ kind: 'model-raised-to-floor' }],
    })
    const below = resolveLimits([parseLimit('turns=3'), floor, model({ toolCalls: 2 })])
    expect(below).toMatchObject({
      limits: [{ max: 3, source: { layer: 'call' } }],
      notices: [{ kind: 'model-not-lower' }],
    })
    expect(lowered.floors).toMatchObject([{ max: 5 }])
  })

  it('may not go below a floor through another period', () => {
    const under = (floor: LimitsInput, asked: string) =>
      resolveLimits([parseLimit('turns=10'), { layer: 'floor', limits: floor }, model([asked])])
    const daily = under({ toolCalls: 5 }, 'toolCalls=1/day')
    expect(daily.limits).toMatchObject([
      { max: 10, per: null },
      { max: 5, per: 'day' },
    ])
    expect(daily.notices).toMatchObject([{ kind: 'model-raised-to-floor', per: 'day' }])
    const perDay: LimitsInput = { toolCalls: { max: 5, per: 'day' } }
    expect(under(perDay, 'toolCalls=1/day').limits).toMatchObject([{ max: 10 }, { max: 5, per: 'day' }])
    expect(under(perDay, 'toolCalls=1/month').limits).toMatchObject([{ max: 10 }, { max: 5, per: 'month' }])
    expect(under(perDay, 'toolCalls=1').limits).toMatchObject([{ max: 5, per: null }])
    expect(under(perDay, 'toolCalls=1/hour').limits).toMatchObject([{ max: 10 }, { max: 1, per: 'hour' }])
    expect(under(['toolCalls=3', 'toolCalls=6/day'], 'toolCalls=1/week').limits).toMatchObject([{}, { max: 6 }])
  })

  it('never loosens the other limits, in any time zone', () => {
    const daily = fc.record({
      max: fc.integer({ min: 1, max: 20 }),
      per: fc.constant('day'),
      timeZone: fc.constantFrom('UTC', 'Asia/Tokyo'),
      action: fc.constantFrom('warn', 'terminate'),
    })
    const layer = fc.record({ layer: fc.constantFrom('call', 'ceiling', 'floor'), limits: fc.record({ cost: daily }) })
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 5 }), daily, (layers, asked) => {
        const without = resolveLimits(layers as LayerInput[])
        const resolved = resolveLimits([...layers, { layer: 'model', limits: { cost: asked } }] as LayerInput[])
        for (const zone of ['UTC', 'Asia/Tokyo']) {
          expect(mostIn(resolved.limits, zone)).toBeLessThanOrEqual(mostIn(without.limits, zone))
        }
        expect(new Set(resolved.limits.map(limitKey)).size).toBe(resolved.limits.length)
      }),
    )
  })

  it('records whose limit it lowered', () => {
    const lowered = resolveLimits([presetLayer('qa'), model({ cost: '$0.20' }), model({ cost: '$0.10' })])
    expect(lowered.limits.find(({ meter }) => meter === 'cost')).toMatchObject({
      max: 1e8,
      source: { layer: 'model', lowers: 'preset' },
    })
    expect(resolveLimits([model({ cost: 1 })]).limits[0]!.source).not.toHaveProperty('lowers')
  })

  it('lowers a limit, and leaves a ceiling next to it that warns or has another zone', () => {
    const warned = resolveLimits([parseLimit('cost=10'), ceilingOf(['cost=5:warn']), model({ cost: 7 })])
    expect(shown(warned.limits)).toEqual(['cost=7 terminate', 'cost#ceiling-warn=5 warn'])
    const zoned = resolveLimits([
      { layer: 'call', limits: { cost: { max: 10, per: 'day', timeZone: 'Asia/Tokyo' } } },
      ceilingOf({ cost: { max: 10, per: 'day' } }),
      model(['cost=9/day']),
    ])
    expect(shown(zoned.limits)).toEqual(['cost/day=9 terminate', 'cost/day#ceiling=10 terminate'])
  })

  it('turns a warning and its ceiling into one limit that stops', () => {
    const layers: LayerInput[] = [parseLimit('turns=30:warn'), { layer: 'ceiling', limits: { toolCalls: 50 } }]
    expect(resolveLimits([...layers, model({ toolCalls: 20 })]).limits).toMatchObject([
      { max: 20, action: 'terminate' },
    ])
    expect(resolveLimits([...layers, model({ toolCalls: 40 })]).limits).toMatchObject([{ max: 30 }, { max: 50 }])
  })
})
