import { describe, expect, it } from 'vitest'
import type { Action } from '../../core/limits/action.ts'
import type { Limit } from '../../core/limits/limit.ts'
import type { Layer } from '../../core/limits/limit-source.ts'
import type { Meter } from '../../core/meter.ts'
import { decideUnpriced } from './decide-unpriced.ts'
import { createPriceBook } from './price-book.ts'

function limit(layer: Layer, meter: Meter = 'cost', action: Action = 'terminate'): Limit {
  const source = { layer, written: meter, field: `limits.${meter}`, file: `${layer}.yaml`, line: 3 }
  return { meter, max: 1_000_000_000, per: null, timeZone: 'UTC', action, nearing: [], source }
}

const MODEL = 'nobody-knows-me'

describe('a model without a price', () => {
  it('D1: is refused under a cost limit that a person wrote, with the model and the place of the limit', () => {
    const decision = decideUnpriced({ model: MODEL, limits: [limit('preset'), limit('project')] })
    expect(decision).toMatchObject({ kind: 'refuse', error: { code: 'unpriced_model', model: MODEL } })
    if (decision.kind !== 'refuse') return
    expect(decision.error.message).toContain(MODEL)
    expect(decision.error.message).toContain('limits.cost in project.yaml:3')
    expect(decision.error.message).toContain('Add one, e.g. prices: { "nobody-knows-me": { input: 3, output: 15 } }')
    expect(decision.error.message).toContain('0 and 0 if it is free), or remove the cost limit.')
  })

  it.each(['user', 'project', 'environment', 'call', 'ceiling', 'floor', 'grant'] as const)(
    'D1: counts a limit of the layer %s as written',
    (layer) => {
      expect(decideUnpriced({ model: MODEL, limits: [limit(layer)] }).kind).toBe('refuse')
    },
  )

  it.each(['cost', 'planningCost', 'executionCost'] as const)('D1: is refused under %s', (meter) => {
    expect(decideUnpriced({ model: MODEL, limits: [limit('call', meter)] }).kind).toBe('refuse')
  })

  it('drops a cost limit of a preset or a default, with a notice that names it', () => {
    const preset = limit('preset')
    const decision = decideUnpriced({ model: MODEL, limits: [preset, limit('call', 'tokens')] })
    expect(decision).toMatchObject({ kind: 'drop', limits: [preset] })
    expect(decision.kind === 'drop' && decision.notice).toContain('preset.yaml')
    expect(decideUnpriced({ model: MODEL, limits: [limit('defaults')] }).kind).toBe('drop')
  })

  it.each([
    ['drop', 'preset'],
    ['drop', 'defaults'],
    ['drop', undefined],
    ['refuse', 'call'],
    ['refuse', 'ceiling'],
  ] as const)('D1: meets "%s" under a limit that a model has lowered from the layer %s', (kind, lowers) => {
    const lowered = limit('model')
    const source = lowers === undefined ? lowered.source : { ...lowered.source, lowers }
    expect(decideUnpriced({ model: MODEL, limits: [{ ...lowered, source }] }).kind).toBe(kind)
  })

  it.each([limit('preset'), limit('defaults'), limit('model'), limit('call', 'cost', 'warn')])(
    'drops no cost limit if an untrusted file names it, and the message names that file',
    (costLimit) => {
      const namedBy = 'model in /repo/.stint/agents/free.md:3'
      const decision = decideUnpriced({ model: MODEL, limits: [costLimit], namedBy })
      expect(decision.kind).toBe('refuse')
      if (decision.kind !== 'refuse') return
      expect(decision.error.message).toContain(`an untrusted file names it (${namedBy})`)
      expect(decision.error.message).toContain('stint trust')
      expect(decideUnpriced({ model: MODEL, limits: [limit('call', 'tokens')], namedBy }).kind).toBe('tokens-only')
    },
  )

  it('refuses an unknown policy, with a suggestion', () => {
    const ask = () => decideUnpriced({ model: MODEL, limits: [limit('call')], policy: 'token-only' as never })
    expect(ask).toThrow('policy is "token-only"')
    expect(ask).toThrow('Did you mean "tokens-only"?')
  })

  it('is not refused for a limit that only warns, since such a limit never denies', () => {
    expect(decideUnpriced({ model: MODEL, limits: [limit('call', 'cost', 'warn')] }).kind).toBe('drop')
  })

  it('is admitted without a cost limit', () => {
    const decision = decideUnpriced({ model: MODEL, limits: [limit('call', 'tokens')] })
    expect(decision).toEqual({ kind: 'tokens-only', limits: [], notice: null })
  })

  it('is charged like the most expensive of its family, or by tokens only, if the operator chose that', () => {
    const limits = [limit('call')]
    const estimate = decideUnpriced({ model: 'claude-sonnet-99', limits, policy: 'estimate' })
    expect(estimate).toMatchObject({
      kind: 'estimate',
      price: { model: 'claude-sonnet-99', origin: 'estimate', output: { basePicoUsd: 150_000_000 } },
    })
    const strange = decideUnpriced({ model: MODEL, limits, policy: 'estimate' })
    expect(strange).toMatchObject({ kind: 'estimate', price: { output: { basePicoUsd: 600_000_000 } } })
    expect(decideUnpriced({ model: MODEL, limits, policy: 'tokens-only' })).toMatchObject({
      kind: 'tokens-only',
      limits,
    })
    const book = createPriceBook({ unknownModels: 'tokens-only' })
    expect(decideUnpriced({ model: MODEL, limits, book }).kind).toBe('tokens-only')
  })

  it('is not unpriced if the book knows it', () => {
    expect(decideUnpriced({ model: 'claude-haiku-5-5', limits: [limit('call')] })).toMatchObject({ kind: 'priced' })
  })
})
