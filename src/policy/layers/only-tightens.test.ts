import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMaximum } from '../../core/amounts/format-maximum.ts'
import { hasSameWindows } from '../../core/decide/covers.ts'
import type { Layer } from '../../core/index.ts'
import { ACTIONS, type Action } from '../../core/limits/action.ts'
import { type Limit, limitKey } from '../../core/limits/limit.ts'
import { PERIODS } from '../../core/limits/window.ts'
import type { LimitsInput } from '../formats/limits-input.ts'
import { parseLimits } from '../formats/parse-limits.ts'
import { parseLimit } from '../limits/parse-limit.ts'
import { onlyTightens } from './only-tightens.ts'
import { presetLayer } from './preset-layer.ts'
import type { LayerInput } from './read-layers.ts'
import { resolveLimits } from './resolve-limits.ts'

const user = (limits: LimitsInput): LayerInput => ({ layer: 'user', file: 'config.yaml', limits })
const found = (limits: LimitsInput, layer: Exclude<Layer, 'grant'> = 'project') =>
  onlyTightens(parseLimits(limits, { layer, file: 'stint.config.yaml' }))

const shown = (limits: readonly Limit[]) =>
  limits.map((limit) => `${limitKey(limit)}=${formatMaximum(limit.meter, limit.max)} ${limit.action}`)

describe('a layer that only tightens', () => {
  it('sets new limits and lowers higher ones', () => {
    expect(shown(resolveLimits([found({ turns: 50 })]).limits)).toEqual(['toolCalls=50 terminate'])
    const lowered = resolveLimits([user({ turns: 50, cost: 5 }), found({ turns: 10 })])
    expect(shown(lowered.limits)).toEqual(['toolCalls=10 terminate', 'cost=$5.00 terminate'])
    expect(lowered.notices).toEqual([])
  })

  it('raises, removes and softens nothing, and reports each attempt', () => {
    const written = user({ turns: 5, cost: 1, time: '10m', messages: 10 })
    const { limits, notices } = resolveLimits([
      written,
      found({
        turns: 50,
        cost: 'unlimited',
        time: { max: '5m', action: 'warn' },
        onLimit: 'ask',
        nearing: 0.9,
        timeZone: 'Asia/Tokyo',
      }),
    ])
    expect(limits).toEqual(resolveLimits([written]).limits)
    expect(notices.map(({ kind, meter, source }) => [kind, meter, source.written])).toEqual([
      ['not-trusted', 'toolCalls', 'turns'],
      ['not-trusted', 'cost', 'cost'],
      ['not-trusted', 'time', 'time'],
      ['not-trusted', null, 'onLimit'],
      ['not-trusted', null, 'nearing'],
      ['not-trusted', null, 'timeZone'],
    ])
    expect(notices[0]!.message).toContain('turns in stint.config.yaml asks for 50; toolCalls stays 5')
  })

  it('makes limits that only warn stop, unless a stronger layer makes them warn', () => {
    const warned = resolveLimits([presetLayer('architect'), found({ onLimit: 'terminate' })])
    expect(new Set(warned.limits.map(({ action }) => action))).toEqual(new Set(['terminate']))
    expect(warned.onLimit).toBe('terminate')
    const asked = resolveLimits([
      presetLayer('architect'),
      found({ onLimit: 'terminate' }),
      { layer: 'call', limits: { onLimit: 'warn' } },
    ])
    expect(new Set(asked.limits.map(({ action }) => action))).toEqual(new Set(['warn']))
  })

  it('ends the run, even if it says pause or ask', () => {
    for (const action of ['pause', 'ask'] as const) {
      expect(shown(resolveLimits([found({ cost: { max: 1, action } })]).limits)).toEqual(['cost=$1.00 terminate'])
      expect(shown(resolveLimits([found({ cost: 1, onLimit: action })]).limits)).toEqual(['cost=$1.00 terminate'])
    }
    const pausing: LayerInput = { layer: 'call', limits: { onLimit: 'pause' } }
    expect(shown(resolveLimits([found({ cost: 1 }), pausing]).limits)).toEqual(['cost=$1.00 terminate'])
  })

  it('stops nothing if a person has set limits to warn', () => {
    const warning: LayerInput = { layer: 'call', limits: { onLimit: 'warn' } }
    expect(shown(resolveLimits([user({ cost: 5 }), found({ cost: 1 }), warning]).limits)).toEqual(['cost=$5.00 warn'])
  })

  it('has no more influence than a trusted layer: a flag overrides it', () => {
    const { limits, notices } = resolveLimits([user({ turns: 5 }), found({ turns: 3 }), parseLimit('turns=8')])
    expect(shown(limits)).toEqual(['toolCalls=8 terminate'])
    expect(notices).toEqual([])
    expect(resolveLimits([user({ turns: 5 }), found({ turns: 30 }), parseLimit('turns=8')]).notices).toEqual([])
    expect(shown(resolveLimits([found({ turns: 30 }), parseLimit('turns=unlimited')]).limits)).toEqual([])
  })

  it('stays restricted, whatever list or layer it is moved to', () => {
    const within = parseLimits([found({ turns: 50 }), 'cost=9'], { layer: 'call' })
    expect(resolveLimits([user({ turns: 5, cost: 1 }), within]).max).toMatchObject({ toolCalls: 5, cost: 1e9 })
    const moved = parseLimits(found({ turns: 50 }), { layer: 'environment' })
    expect(resolveLimits([user({ turns: 5 }), moved]).max.toolCalls).toBe(5)
  })

  it('that would only warn does not affect a model’s own limits', () => {
    const model: LayerInput = { layer: 'model', limits: { cost: 1 } }
    for (const layer of ['project', 'ceiling'] as const) {
      expect(shown(resolveLimits([found(['cost=5:warn'], layer), model]).limits)).toEqual(['cost=$1.00 terminate'])
    }
  })

  it('counts days in the time zone of the trusted layers', () => {
    const inBerlin = user({ timeZone: 'Europe/Berlin', cost: { max: 10, per: 'day' } })
    const { limits } = resolveLimits([inBerlin, found({ timeZone: 'Asia/Tokyo', cost: { max: 5, per: 'day' } })])
    expect(limits).toMatchObject([{ max: 5e9, per: 'day', timeZone: 'Europe/Berlin' }])
  })

  it('has only ceilings that end the run', () => {
    const ceilings = found(['cost=5:ask', 'turns=3:warn'], 'ceiling')
    const { limits, notices } = resolveLimits([parseLimit('cost=10'), ceilings])
    expect(shown(limits)).toEqual(['cost#ceiling=$5.00 terminate'])
    expect(notices).toMatchObject([{ kind: 'not-trusted', meter: 'toolCalls' }, { kind: 'ceiling-applied' }])
  })
})

describe('whatever the layers are', () => {
  const HARDNESS: Readonly<Record<Action, number>> = { warn: 0, ask: 1, pause: 1, terminate: 2 }
  const isAsTight = (left: Limit, right: Limit): boolean =>
    hasSameWindows(left, right) && left.max <= right.max && HARDNESS[left.action] >= HARDNESS[right.action]

  const action = fc.option(fc.constantFrom(...ACTIONS), { nil: undefined })
  const zone = fc.option(fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Tokyo'), { nil: undefined })
  const maximum = fc
    .record({
      max: fc.integer({ min: 1, max: 6 }),
      action,
      per: fc.option(fc.constantFrom(...PERIODS), { nil: undefined }),
    })
    .chain((entry) => (entry.per === undefined ? fc.constant(entry) : zone.map((timeZone) => ({ ...entry, timeZone }))))
  const value = fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 6, arbitrary: maximum })
  const meters = fc.record({ toolCalls: value, cost: value, tokens: value }, { requiredKeys: [] })
  const limits = fc
    .record({ meters, onLimit: action, timeZone: zone })
    .map(({ meters: entries, ...defaults }) => compact({ ...clean(entries), ...defaults }) as LimitsInput)
  const LAYERS = ['defaults', 'preset', 'user', 'project', 'environment', 'call', 'ceiling'] as const
  const layer = fc.record({ layer: fc.constantFrom(...LAYERS), limits, isFound: fc.boolean() })
  const foundLayer = fc.constantFrom('project', 'preset', 'ceiling', 'defaults')

  it('a restricted layer never loosens a limit: not its maximum, action or period', () => {
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 6 }), foundLayer, limits, (others, name, said) => {
        const base = others.map((each) => layerOf(each))
        const before = resolveLimits(base)
        const after = resolveLimits([...base, found(said, name)])
        for (const limit of before.limits) {
          expect(after.limits.some((each) => isAsTight(each, limit))).toBe(true)
        }
        for (const ceiling of before.ceilings) {
          expect(after.ceilings.some((each) => isAsTight(each, ceiling))).toBe(true)
        }
        expect(HARDNESS[after.onLimit]).toBeGreaterThanOrEqual(HARDNESS[before.onLimit])
      }),
      { numRuns: 400 },
    )
  })

  it('a limit without an action takes that of its own or a stronger layer, or else ends the run', () => {
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (others, max) => {
        const weaker = others.filter(({ layer: name }) => name !== 'call' && name !== 'ceiling')
        const { limits: held } = resolveLimits([
          ...weaker.map((each) => layerOf(each)),
          { layer: 'call', limits: { messages: max } },
        ])
        expect(held.filter(({ meter }) => meter === 'messages')).toMatchObject([{ max, action: 'terminate' }])
      }),
    )
  })

  function layerOf({
    layer: name,
    limits: said,
    isFound,
  }: {
    layer: Exclude<Layer, 'grant'>
    limits: LimitsInput
    isFound: boolean
  }) {
    const parsed = parseLimits(said, { layer: name, file: `${name}.yaml` })
    return isFound ? onlyTightens(parsed) : parsed
  }

  function clean(entries: Readonly<Record<string, object | null | undefined>>): object {
    return Object.fromEntries(Object.entries(entries).map(([meter, entry]) => [meter, entry && compact(entry)]))
  }

  function compact(entries: object): object {
    return Object.fromEntries(Object.entries(entries).filter(([, entry]) => entry !== undefined))
  }
})
