import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isEnforced } from '../core/action.ts'
import { limitKey } from '../core/limit.ts'
import { METER_NAMES } from '../core/meter.ts'
import { InvalidLimitError } from './invalid-limit-error.ts'
import type { LimitsInput } from './limits-input.ts'
import { parseLimit } from './parse-limit.ts'
import { presetLayer } from './preset-layer.ts'
import type { LayerInput } from './read-layers.ts'
import { resolveLimits } from './resolve-limits.ts'
import { tightenDepth } from './tighten-depth.ts'

describe('resolveLimits', () => {
  it('A4: with one limit set the others read null', () => {
    const { max } = resolveLimits([{ layer: 'call', limits: { toolCalls: 5 } }])
    expect(max.toolCalls).toBe(5)
    expect(Object.keys(max)).toEqual(METER_NAMES)
    for (const meter of METER_NAMES) if (meter !== 'toolCalls') expect(max[meter]).toBeNull()
  })

  it('A17: without layers there is no limit', () => {
    expect(resolveLimits([])).toMatchObject({ limits: [], onLimit: 'terminate', notices: [] })
  })

  it('ranks layers by their name, not by their place in the list', () => {
    const names = ['call', 'environment', 'project', 'user', 'preset', 'defaults'] as const
    for (const [index, layer] of names.entries()) {
      const layers = names.slice(index).map((name, place) => ({ layer: name, limits: { toolCalls: place + 1 } }))
      const { limits } = resolveLimits(layers)
      expect(limits).toMatchObject([{ max: 1, source: { layer } }])
    }
  })

  it('lets the later of two equal layers win', () => {
    const { max } = resolveLimits([
      { layer: 'call', limits: { toolCalls: 5 } },
      { layer: 'call', limits: { toolCalls: 6 } },
    ])
    expect(max.toolCalls).toBe(6)
  })

  it('A16: merges per meter and period, and sorts by both', () => {
    const { limits, max } = resolveLimits([
      {
        layer: 'user',
        limits: {
          cost: [
            { max: 100, per: 'month' },
            { max: 10, per: 'day' },
          ],
          toolCalls: 5,
        },
      },
      { layer: 'call', limits: ['cost=8/day', 'cost=1'] },
    ])
    expect(limits.map((limit) => `${limitKey(limit)}=${limit.max / 1e9}`)).toEqual([
      'toolCalls=5e-9',
      'cost=1',
      'cost/day=8',
      'cost/month=100',
    ])
    expect(max.cost).toBe(1e9)
  })

  it('removes all periods of a meter with null, and sets it again above', () => {
    const user: LayerInput = { layer: 'user', limits: { cost: [{ max: 10, per: 'day' }, 1] } }
    const removal: LayerInput = { layer: 'project', limits: { cost: null } }
    expect(resolveLimits([user, removal])).toMatchObject({
      limits: [],
      removed: [{ meter: 'cost', source: { layer: 'project' } }],
    })
    const again = resolveLimits([user, removal, parseLimit('cost=5')])
    expect(again).toMatchObject({ limits: [{ max: 5e9, per: null }], removed: [] })
  })

  it('takes the action of a limit, else that of the highest layer that wrote one, else terminate', () => {
    const { limits, onLimit } = resolveLimits([
      presetLayer('architect'),
      { layer: 'project', limits: { onLimit: 'pause', messages: { max: 5, action: 'ask' } } },
      { layer: 'call', limits: { cost: 2 } },
    ])
    expect(onLimit).toBe('pause')
    expect(limits.map(({ meter, action }) => [meter, action])).toEqual([
      ['toolCalls', 'pause'],
      ['cost', 'pause'],
      ['messages', 'ask'],
      ['time', 'pause'],
    ])
    expect(resolveLimits([parseLimit('cost=1')]).limits).toMatchObject([{ action: 'terminate' }])
  })

  it('takes nearing thresholds and the time zone of the highest layer that wrote them', () => {
    const { limits } = resolveLimits([
      { layer: 'project', limits: { nearing: [0.5, 0.9], timeZone: 'Europe/Berlin' } },
      { layer: 'call', limits: { cost: { max: 1, per: 'day' }, toolCalls: { max: 5, nearing: 0.6 } } },
    ])
    expect(limits).toMatchObject([
      { meter: 'toolCalls', nearing: [0.6] },
      { meter: 'cost', nearing: [0.5, 0.9], timeZone: 'Europe/Berlin' },
    ])
    expect(resolveLimits([parseLimit('cost=1')]).limits).toMatchObject([{ nearing: [0.8], timeZone: 'UTC' }])
  })

  it('reports the problems of all layers at once', () => {
    const layers = [
      { layer: 'user', file: 'user.yaml', limits: { cost: 0 } },
      { layer: 'project', file: 'project.yaml', limits: { tme: 5 } as LimitsInput },
      { layer: 'projct', limits: {} } as unknown as LayerInput,
      null as unknown as LayerInput,
    ] satisfies LayerInput[]
    try {
      resolveLimits(layers)
      expect.unreachable()
    } catch (error) {
      const { problems } = error as InvalidLimitError
      expect(error).toBeInstanceOf(InvalidLimitError)
      expect(problems.map(({ place }) => place)).toEqual([
        'cost in user.yaml',
        'tme in project.yaml',
        'layers[2].layer',
        'layers[3].layer',
      ])
      expect(problems[2]!.suggestion).toBe('project')
    }
  })
})

describe('a ceiling', () => {
  const ceiling = (limits: LimitsInput): LayerInput => ({ layer: 'ceiling', file: '/etc/stint.yaml', limits })

  it('cuts a limit that is above it, with a notice', () => {
    const { limits, notices } = resolveLimits([parseLimit('cost=5'), ceiling({ cost: 3 })])
    expect(limits).toMatchObject([{ max: 3e9, source: { layer: 'ceiling' } }])
    expect(notices).toMatchObject([{ kind: 'ceiling-applied', meter: 'cost', source: { flag: '--limit cost=5' } }])
  })

  it('leaves a limit that is below it alone, and stays known for raises', () => {
    const resolved = resolveLimits([parseLimit('cost=2'), ceiling({ cost: 3 })])
    expect(resolved).toMatchObject({
      limits: [{ max: 2e9, source: { layer: 'call' } }],
      ceilings: [{ max: 3e9 }],
      notices: [],
    })
  })

  it('is the limit where nobody wrote one or somebody removed it', () => {
    expect(resolveLimits([ceiling({ cost: 3 })]).limits).toMatchObject([{ max: 3e9 }])
    const removed = resolveLimits([{ layer: 'call', limits: { cost: null } }, ceiling({ cost: 3 })])
    expect(removed).toMatchObject({ limits: [{ max: 3e9 }], notices: [{ kind: 'ceiling-applied' }] })
  })

  it('stays beside a limit that only warns', () => {
    const { limits, max } = resolveLimits([parseLimit('cost=2:warn'), ceiling({ cost: 3 })])
    expect(limits.map((limit) => [limitKey(limit), limit.action])).toEqual([
      ['cost', 'warn'],
      ['cost#ceiling', 'terminate'],
    ])
    expect(max.cost).toBe(2e9)
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
    const layer = fc.record({ layer: fc.constantFrom('defaults', 'user', 'project', 'call', 'model', 'floor'), limits })
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 5 }), fc.nat(100), (layers, top) => {
        const resolved = resolveLimits([...(layers as LayerInput[]), ceiling({ toolCalls: top })])
        const enforced = resolved.limits.filter(({ meter, action }) => meter === 'toolCalls' && isEnforced(action))
        expect(Math.min(...enforced.map(({ max }) => max))).toBeLessThanOrEqual(top)
        expect(new Set(resolved.limits.map(limitKey)).size).toBe(resolved.limits.length)
      }),
    )
  })
})

describe('a model', () => {
  const model = (limits: LimitsInput): LayerInput => ({ layer: 'model', call: 'subagent', limits })

  it('may lower a limit and keeps its action', () => {
    const { limits, notices } = resolveLimits([
      parseLimit('turns=25:pause'),
      model({ toolCalls: { max: 10, action: 'warn' } }),
    ])
    expect(limits).toMatchObject([{ max: 10, action: 'pause', source: { layer: 'model', call: 'subagent' } }])
    expect(notices).toEqual([])
  })

  it('may not raise or remove a limit, nor change what happens there', () => {
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

  it('may set a limit where there is none', () => {
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

  it('leaves one limit that stops where a warning and its ceiling were', () => {
    const layers: LayerInput[] = [parseLimit('turns=30:warn'), { layer: 'ceiling', limits: { toolCalls: 50 } }]
    expect(resolveLimits([...layers, model({ toolCalls: 20 })]).limits).toMatchObject([
      { max: 20, action: 'terminate' },
    ])
    expect(resolveLimits([...layers, model({ toolCalls: 40 })]).limits).toMatchObject([{ max: 30 }, { max: 50 }])
  })
})

describe('tightenDepth', () => {
  it('B11: 1 under an inherited 3 is 1, 5 under 2 stays 2, 0 disables delegation', () => {
    expect(tightenDepth(3, 1)).toBe(1)
    expect(tightenDepth(2, 5)).toBe(2)
    expect(tightenDepth(2, 0)).toBe(0)
    expect(tightenDepth(0, 5)).toBe(0)
    expect(tightenDepth(2, null)).toBe(2)
    expect(tightenDepth(null, 4)).toBe(4)
    expect(tightenDepth(null, null)).toBeNull()
  })
})
