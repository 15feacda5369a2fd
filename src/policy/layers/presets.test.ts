import { describe, expect, it } from 'vitest'
import { InvalidLimitError } from '../limits/invalid-limit-error.ts'
import { presetLayer, roleLayer } from './preset-layer.ts'
import { findPreset, PRESETS } from './presets.ts'
import { resolveLimits } from './resolve-limits.ts'

describe('presets', () => {
  it.each([
    ['developer', 25, 600_000, 1, 'terminate'],
    ['qa', 10, 120_000, 0.5, 'terminate'],
    ['planner', 15, 300_000, 2, 'terminate'],
    ['architect', 50, 1_800_000, 5, 'warn'],
    ['researcher', 50, 1_200_000, 5, 'warn'],
    ['security-architect', 30, 900_000, 3, 'terminate'],
    ['code-reviewer', 20, 600_000, 1.5, 'warn'],
    ['devops', 30, 900_000, 2, 'terminate'],
    ['explore', 20, 600_000, 1, 'terminate'],
    ['verify', 8, 600_000, 1, 'terminate'],
  ])('%s allows %s tool calls, %s ms and %s dollars, then %s', (name, toolCalls, time, usd, action) => {
    const resolved = resolveLimits([presetLayer(name)])
    expect(resolved.max).toMatchObject({ toolCalls, time, cost: usd * 1e9 })
    expect(resolved.limits.every((limit) => limit.action === action)).toBe(true)
    expect(resolved.limits.every(({ source }) => source.preset === name && source.layer === 'preset')).toBe(true)
  })

  it('are the ten in the table', () => {
    expect(PRESETS).toHaveLength(10)
  })

  it('gives an agent without a role the defaults, and a subagent fewer tool calls', () => {
    expect(resolveLimits([roleLayer('writer')]).max).toMatchObject({ toolCalls: 25, time: 600_000, cost: 1e9 })
    expect(resolveLimits([roleLayer('writer', { subagent: true })]).max).toMatchObject({ toolCalls: 16, time: 600_000 })
    expect(resolveLimits([roleLayer('verify', { subagent: true })]).max).toMatchObject({
      toolCalls: 8,
      time: 600_000,
      cost: 1e9,
    })
    expect(roleLayer('writer').entries[0]!.source).toEqual({
      layer: 'defaults',
      written: 'toolCalls',
      field: 'toolCalls',
    })
  })

  it('suggests a preset for an unknown name', () => {
    expect(() => presetLayer('develper')).toThrow(InvalidLimitError)
    expect(() => presetLayer('develper')).toThrow('Did you mean "developer"?')
    expect(findPreset('__proto__')).toBeNull()
    expect(findPreset('constructor')).toBeNull()
  })

  it('A17: apply only on request', () => {
    expect(resolveLimits([]).limits).toEqual([])
  })
})
