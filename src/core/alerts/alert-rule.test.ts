import { describe, expect, it } from 'vitest'
import { assertAlertRules, DEFAULT_ALERTS } from './alert-rule.ts'

const refusalOf = (rules: unknown): string => {
  try {
    assertAlertRules('alerts', rules)
    return 'accepted'
  } catch (error) {
    return (error as Error).message
  }
}

describe('alert rules', () => {
  it('are accepted in every form', () => {
    expect(refusalOf(DEFAULT_ALERTS)).toBe('accepted')
    expect(refusalOf([])).toBe('accepted')
    expect(refusalOf([{ name: 'Ausgaben pro Tag', meter: 'tokens', above: 0, per: 'day' }])).toBe('accepted')
  })

  it.each([
    [
      'a meter that a store does not count',
      { name: 'a', meter: 'wallTime', share: 0.5 },
      'alerts[0].meter is "wallTime"',
    ],
    ['a rate of a clock', { name: 'a', meter: 'time', above: 5, per: 'hour' }, 'a counter'],
    ['a share of nothing', { name: 'a', meter: 'cost', share: 0 }, 'above 0'],
    ['a share that is never reached', { name: 'a', meter: 'cost', share: 1.2 }, 'at most 1'],
    ['a share that is no number', { name: 'a', meter: 'cost', share: Number.NaN }, 'alerts[0].share'],
    ['a field that would be ignored', { name: 'a', meter: 'cost', share: 0.5, per: 'day' }, 'alerts[0].per'],
    ['both a meter and ends', { name: 'a', meter: 'cost', ends: ['failed'], above: 1, per: 'day' }, 'alerts[0].meter'],
    ['an end that is good', { name: 'a', ends: ['completed'], above: 1, per: 'day' }, 'limit-reached'],
    ['the same end twice', { name: 'a', ends: ['failed', 'failed'], above: 1, per: 'day' }, 'alerts[0].ends'],
    ['no ends', { name: 'a', ends: [], above: 1, per: 'day' }, 'alerts[0].ends'],
    ['a misspelled field', { name: 'a', meter: 'cost', abvoe: 1, per: 'day' }, 'Did you mean "above"?'],
    ['a window that is not kept', { name: 'a', meter: 'cost', above: 1, per: 'week' }, `'hour' or 'day'`],
    ['half a nano-dollar', { name: 'a', meter: 'cost', above: 0.5, per: 'day' }, 'alerts[0]'],
    ['a name with a line break', { name: 'a\nb', meter: 'cost', share: 0.5 }, 'alerts[0].name'],
    ['a name with a quote', { name: 'a"} 1', meter: 'cost', share: 0.5 }, 'alerts[0].name'],
    ['no name', { meter: 'cost', share: 0.5 }, 'alerts[0].name'],
    ['no rule', 'cost', 'alerts[0]'],
  ])('are refused: %s', (_, rule, message) => {
    expect(refusalOf([rule])).toContain(message)
  })

  it('must have unique names, and be at most 100', () => {
    const rule = (name: number) => ({ name: `rule ${name}`, meter: 'cost', share: 0.5 })
    expect(refusalOf([rule(1), rule(1)])).toContain('a unique name')
    expect(refusalOf(Array.from({ length: 10_000 }, (_, name) => rule(name)))).toContain('alerts.length is 10000')
    expect(refusalOf('all')).toContain('a list of rules')
  })
})
