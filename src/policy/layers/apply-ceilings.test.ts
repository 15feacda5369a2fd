import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Action, isEnforced } from '../../core/limits/action.ts'
import { limitKey } from '../../core/limits/limit.ts'
import type { LimitsInput } from '../formats/limits-input.ts'
import { parseLimit } from '../limits/parse-limit.ts'
import type { LayerInput } from './read-layers.ts'
import { resolveLimits } from './resolve-limits.ts'
import { mostIn, shown } from './shown-limits.fixture.ts'

describe('a ceiling', () => {
  const ceiling = (limits: LimitsInput): LayerInput => ({ layer: 'ceiling', file: '/etc/stint.yaml', limits })

  it('lowers a limit above it, with a notice', () => {
    const { limits, notices } = resolveLimits([parseLimit('cost=5'), ceiling({ cost: 3 })])
    expect(limits).toMatchObject([{ max: 3e9, source: { layer: 'ceiling' } }])
    expect(notices).toMatchObject([{ kind: 'ceiling-applied', meter: 'cost', source: { flag: '--limit cost=5' } }])
  })

  it('leaves a lower limit unchanged, and still bounds raises', () => {
    const resolved = resolveLimits([parseLimit('cost=2'), ceiling({ cost: 3 })])
    expect(resolved).toMatchObject({
      limits: [{ max: 2e9, source: { layer: 'call' } }],
      ceilings: [{ max: 3e9 }],
      notices: [],
    })
  })

  it('becomes the limit if none was written or it was removed', () => {
    expect(resolveLimits([ceiling({ cost: 3 })]).limits).toMatchObject([{ max: 3e9 }])
    const removed = resolveLimits([{ layer: 'call', limits: { cost: null } }, ceiling({ cost: 3 })])
    expect(removed).toMatchObject({ limits: [{ max: 3e9 }], notices: [{ kind: 'ceiling-applied' }] })
  })

  it('stays next to a limit that only warns', () => {
    const { limits, max } = resolveLimits([parseLimit('cost=2:warn'), ceiling({ cost: 3 })])
    expect(limits.map((limit) => [limitKey(limit), limit.action])).toEqual([
      ['cost', 'warn'],
      ['cost#ceiling', 'terminate'],
    ])
    // The maximum is the limit that stops, not the lower one that only warns.
    expect(max.cost).toBe(3e9)
  })

  it('that only warns never replaces a limit that stops', () => {
    const { limits, max, notices } = resolveLimits([ceiling(['cost=5:warn']), { layer: 'call', limits: { cost: 10 } }])
    expect(shown(limits)).toEqual(['cost=10 terminate', 'cost#ceiling-warn=5 warn'])
    expect(max.cost).toBe(10e9)
    expect(notices).toEqual([])
    const warning = resolveLimits([ceiling(['cost=5:warn']), parseLimit('cost=10:warn')])
    expect(shown(warning.limits)).toEqual(['cost#ceiling-warn=5 warn'])
    expect(warning.max.cost).toBe(5e9)
  })

  it('that only warns never replaces a ceiling that stops, whichever comes first', () => {
    for (const ceilings of [
      [ceiling(['cost=5:warn']), ceiling(['cost=10'])],
      [ceiling(['cost=10']), ceiling(['cost=5:warn'])],
    ]) {
      expect(shown(resolveLimits(ceilings).limits)).toEqual(['cost#ceiling=10 terminate', 'cost#ceiling-warn=5 warn'])
      const cut = resolveLimits([...ceilings, parseLimit('cost=20')])
      expect(shown(cut.limits)).toEqual(['cost#ceiling=10 terminate', 'cost#ceiling-warn=5 warn'])
      expect(cut.notices).toMatchObject([{ kind: 'ceiling-applied' }])
      expect(shown(resolveLimits([...ceilings, parseLimit('cost=20:warn')]).limits)).toHaveLength(2)
      expect(shown(resolveLimits([...ceilings, parseLimit('cost=3')]).limits)).toEqual(['cost=3 terminate'])
      expect(shown(resolveLimits([...ceilings, parseLimit('cost=3:warn')]).limits)).toEqual([
        'cost=3 warn',
        'cost#ceiling=10 terminate',
      ])
    }
  })

  it('that only warns is left out if a ceiling stops sooner', () => {
    const { limits } = resolveLimits([ceiling(['cost=5']), ceiling(['cost=5:warn'])])
    expect(shown(limits)).toEqual(['cost#ceiling=5 terminate'])
  })

  it('stays next to a limit in another time zone, whose days begin at other times', () => {
    const tokyo = (max: number): LayerInput => ({
      layer: 'call',
      limits: { cost: { max, per: 'day', timeZone: 'Asia/Tokyo' } },
    })
    const daily = ceiling({ cost: { max: 10, per: 'day' } })
    for (const max of [8, 10]) {
      const { limits, notices } = resolveLimits([daily, tokyo(max)])
      expect(shown(limits)).toEqual([`cost/day=${max} terminate`, 'cost/day#ceiling=10 terminate'])
      expect(limits.map(({ timeZone }) => timeZone)).toEqual(['Asia/Tokyo', 'UTC'])
      expect(notices).toEqual([])
    }
    const above = resolveLimits([daily, tokyo(15)])
    expect(shown(above.limits)).toEqual(['cost/day=15 terminate', 'cost/day#ceiling=10 terminate'])
    expect(above.notices).toMatchObject([{ kind: 'ceiling-applied' }])
  })

  it('stays next to a ceiling in another time zone, under a separate key', () => {
    const { limits } = resolveLimits([
      ceiling({ cost: { max: 10, per: 'day' } }),
      ceiling({ cost: { max: 8, per: 'day', timeZone: 'Asia/Tokyo' } }),
    ])
    expect(shown(limits)).toEqual(['cost/day#ceiling=10 terminate', 'cost/day#ceiling@Asia/Tokyo=8 terminate'])
  })

  it('covers a limit in the same zone spelled differently, and any zone if the period is an hour', () => {
    const layers = (per: 'day' | 'hour', timeZone: string): LayerInput[] => [
      ceiling({ cost: { max: 10, per } }),
      { layer: 'call', limits: { cost: { max: 10, per, timeZone } } },
    ]
    for (const zone of ['Etc/UTC', 'utc', 'UTC']) {
      const { limits } = resolveLimits(layers('day', zone))
      expect(limits).toMatchObject([{ timeZone: 'UTC', source: { layer: 'call' } }])
    }
    expect(resolveLimits(layers('hour', 'Asia/Tokyo')).limits).toHaveLength(1)
  })

  it('is not softened by the scope’s onLimit', () => {
    const { limits } = resolveLimits([{ layer: 'call', limits: { onLimit: 'warn', cost: 5 } }, ceiling({ cost: 3 })])
    expect(limits).toMatchObject([{ max: 3e9, action: 'terminate' }])
  })

  it('takes the tightest of several, and ignores a removal with a notice', () => {
    const resolved = resolveLimits([ceiling({ cost: 3 }), ceiling({ cost: 2 }), ceiling({ cost: null })])
    expect(resolved.limits).toMatchObject([{ max: 2e9 }])
    expect(resolved.notices).toMatchObject([{ kind: 'ceiling-not-removed' }])
  })

  it('is never exceeded, whatever the other layers say', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constant(null))
    const limits = fc.record(
      { toolCalls: value, spawns: value, onLimit: fc.constantFrom('warn', 'pause', 'terminate') },
      { requiredKeys: [] },
    )
    const names = ['defaults', 'user', 'project', 'call', 'model', 'floor', 'ceiling'] as const
    const layer = fc.record({ layer: fc.constantFrom(...names), limits })
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 5 }), fc.nat(100), (layers, top) => {
        const resolved = resolveLimits([...(layers as LayerInput[]), ceiling({ toolCalls: top })])
        const enforced = resolved.limits.filter(({ meter, action }) => meter === 'toolCalls' && isEnforced(action))
        expect(Math.min(...enforced.map(({ max }) => max))).toBeLessThanOrEqual(top)
        expect(new Set(resolved.limits.map(limitKey)).size).toBe(resolved.limits.length)
      }),
    )
  })

  it('never loosens the other limits, in any time zone', () => {
    const daily = fc.record({
      max: fc.integer({ min: 1, max: 20 }),
      per: fc.constant('day'),
      timeZone: fc.constantFrom('UTC', 'Asia/Tokyo', 'Europe/Berlin'),
      action: fc.constantFrom('warn', 'pause', 'terminate'),
    })
    const layer = fc.record({
      layer: fc.constantFrom('user', 'call', 'ceiling', 'model'),
      limits: fc.record({ cost: daily }),
    })
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 5 }), daily, (layers, top) => {
        const without = resolveLimits(layers as LayerInput[])
        const resolved = resolveLimits([...layers, { layer: 'ceiling', limits: { cost: top } }] as LayerInput[])
        expect(new Set(resolved.limits.map(limitKey)).size).toBe(resolved.limits.length)
        if (layers.some((each) => each.layer === 'model')) return
        for (const timeZone of ['UTC', 'Asia/Tokyo', 'Europe/Berlin']) {
          expect(mostIn(resolved.limits, timeZone)).toBeLessThanOrEqual(mostIn(without.limits, timeZone))
        }
        if (isEnforced(top.action as Action)) {
          expect(mostIn(resolved.limits, top.timeZone)).toBeLessThanOrEqual(top.max * 1e9)
        }
      }),
    )
  })
})
