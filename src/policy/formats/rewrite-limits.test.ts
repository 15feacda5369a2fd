import { describe, expect, it } from 'vitest'
import type { Limit } from '../../core/limits/limit.ts'
import { resolveLimits } from '../layers/resolve-limits.ts'
import type { LimitsInput } from './limits-input.ts'
import { parseLimits } from './parse-limits.ts'
import { rewriteLimits } from './rewrite-limits.ts'

const written = (limits: LimitsInput) => [
  parseLimits(limits, { layer: 'call', call: 'scope.setLimits', field: 'limits' }),
]
const layerOf = (layer: 'call' | 'ceiling', limits: LimitsInput) =>
  resolveLimits([{ layer, call: 'governor.open', field: 'limits', limits }])
const ceilingsOf = (limits: LimitsInput) => layerOf('ceiling', limits).ceilings
const shown = (limits: readonly Limit[]) => limits.map(({ meter, max, action }) => `${meter} ${max} ${action}`)

describe('rewritten limits', () => {
  const present = layerOf('call', {
    toolCalls: { max: 5, action: 'pause', nearing: [0.5] },
    tokens: { max: 100, per: 'day', timeZone: 'Europe/Berlin' },
  }).limits

  it('change if they are named, and keep their other settings', () => {
    const limits = rewriteLimits(present, { layers: written({ toolCalls: 9 }), ceilings: [] })
    expect(shown(limits).toSorted()).toEqual(['tokens 100 terminate', 'toolCalls 9 pause'])
    expect(limits.find(({ meter }) => meter === 'toolCalls')?.nearing).toEqual([0.5])
    const days = rewriteLimits(present, { layers: written({ tokens: { max: 50, per: 'day' } }), ceilings: [] })
    expect(days.find(({ meter }) => meter === 'tokens')).toMatchObject({ max: 50, timeZone: 'Europe/Berlin' })
  })

  it('when new, have the action given with them, or the scope’s', () => {
    const layers = written({ modelCalls: 3 })
    const added = rewriteLimits([], { layers, ceilings: [], onLimit: 'ask' })
    expect(shown(added)).toEqual(['modelCalls 3 ask'])
    const own = written({ modelCalls: { max: 3, action: 'warn' } })
    expect(shown(rewriteLimits([], { layers: own, ceilings: [], onLimit: 'ask' }))).toEqual(['modelCalls 3 warn'])
    expect(shown(rewriteLimits([], { layers, ceilings: [] }))).toEqual(['modelCalls 3 terminate'])
  })

  it('never exceed a ceiling of the operator or of the scope', () => {
    const ceilings = ceilingsOf({ toolCalls: 7 })
    const layers = written({ toolCalls: 9 })
    expect(rewriteLimits(present, { layers, ceilings }).find(({ meter }) => meter === 'toolCalls')?.max).toBe(7)
    const standing = rewriteLimits(ceilings, { layers, ceilings: [] })
    expect(shown(standing)).toEqual(['toolCalls 7 terminate', 'toolCalls 7 terminate'])
    expect(standing.map(({ source }) => source.layer)).toEqual(['call', 'ceiling'])
  })

  it('fall back to the ceiling when a limit is removed', () => {
    const layers = written({ toolCalls: null })
    expect(shown(rewriteLimits(present, { layers, ceilings: [] }))).toEqual(['tokens 100 terminate'])
    const ceilings = ceilingsOf({ toolCalls: 7 })
    const bared = rewriteLimits(present, { layers, ceilings })
    expect(shown(bared)).toEqual(['tokens 100 terminate', 'toolCalls 7 terminate'])
    expect(shown(rewriteLimits(ceilings, { layers, ceilings: [] }))).toEqual(['toolCalls 7 terminate'])
  })
})
