import { describe, expect, it } from 'vitest'
import { limitKey } from '../../core/limits/limit.ts'
import { METER_NAMES } from '../../core/meter.ts'
import type { LimitsInput } from '../formats/limits-input.ts'
import { InvalidLimitError } from '../limits/invalid-limit-error.ts'
import { parseLimit } from '../limits/parse-limit.ts'
import { presetLayer } from './preset-layer.ts'
import type { LayerInput } from './read-layers.ts'
import { resolveLimits } from './resolve-limits.ts'
import { tightenDepth } from './tighten-depth.ts'

describe('resolveLimits', () => {
  it('A4: with one limit set, the others read null', () => {
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

  it('uses a limit’s own action, else that of its own or a stronger layer, else terminate', () => {
    const { limits, onLimit } = resolveLimits([
      presetLayer('architect'),
      { layer: 'project', limits: { onLimit: 'pause', messages: { max: 5, action: 'ask' } } },
      { layer: 'call', limits: { cost: 2 } },
    ])
    expect(onLimit).toBe('pause')
    expect(limits.map(({ meter, action }) => [meter, action])).toEqual([
      ['toolCalls', 'pause'],
      ['cost', 'terminate'],
      ['messages', 'ask'],
      ['time', 'pause'],
    ])
    expect(resolveLimits([parseLimit('cost=1')]).limits).toMatchObject([{ action: 'terminate' }])
  })

  it.each(['preset', 'user', 'project', 'environment'] as const)(
    'does not let onLimit: warn in the layer %s weaken a limit of a stronger layer',
    (layer) => {
      const warning: LayerInput = { layer, limits: { onLimit: 'warn', turns: 5 } }
      const { limits } = resolveLimits([warning, { layer: 'call', limits: { cost: 2 } }])
      expect(limits).toMatchObject([
        { meter: 'toolCalls', action: 'warn' },
        { meter: 'cost', action: 'terminate' },
      ])
    },
  )

  it('uses the nearing thresholds and time zone of the strongest layer that sets them', () => {
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

  it('refuses anything but a list of layers', () => {
    for (const layers of [{ layer: 'call', limits: { cost: 1 } }, null, 'cost=1']) {
      expect(() => resolveLimits(layers as unknown as LayerInput[])).toThrow(InvalidLimitError)
    }
    expect(() => resolveLimits({} as unknown as LayerInput[])).toThrow('layers: an object is not a list of layers')
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
