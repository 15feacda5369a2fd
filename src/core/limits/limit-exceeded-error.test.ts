import { describe, expect, it } from 'vitest'
import { balanceOf } from '../decide/balance.ts'
import { isStintError, StintError } from '../stint-error.ts'
import { type Breach, breachOf } from './breach.ts'
import { limitFixture } from './limit.fixture.ts'
import { isLimitExceeded, LimitExceededError } from './limit-exceeded-error.ts'

function breach(scope: string): Breach {
  const limit = limitFixture('tokens', 500, {
    source: {
      layer: 'project',
      written: 'token_budget',
      field: 'limits.token_budget',
      file: 'stint.config.yaml',
      line: 12,
    },
  })
  return breachOf(
    { id: scope, path: `team/${scope}`, limits: [] },
    balanceOf(limit, { settled: 400, reserved: 50 }),
    200,
  )
}

describe('LimitExceededError', () => {
  it('promise 7: names the limit, its scope, where it is set, its usage, the request and the remedy', () => {
    const { message } = new LimitExceededError([breach('inner')])
    expect(message).toBe(
      'The token_budget limit of "team/inner" leaves 50 (400 of 500 used, 50 reserved), and 200 is requested. ' +
        'Set by limits.token_budget in stint.config.yaml:12. To allow more, change limits.token_budget in stint.config.yaml:12.',
    )
  })

  it('B1: is caught only by the scope that has the limit', () => {
    const error: unknown = new LimitExceededError([breach('outer'), breach('inner')])
    expect(isLimitExceeded(error)).toBe(true)
    expect(isLimitExceeded(error, 'outer')).toBe(true)
    expect(isLimitExceeded(error, 'inner')).toBe(false)
    expect(isLimitExceeded(new Error('other'))).toBe(false)
  })

  it('says when a window resets', () => {
    const limit = limitFixture('cost', 10_000_000_000, { per: 'day' })
    const balance = balanceOf(limit, { settled: 9_950_000_000, resetsAt: Date.UTC(2026, 10, 16) })
    expect(breachOf({ id: 'run', path: 'run', limits: [] }, balance, 100_000_000).message).toContain(
      'leaves $0.05 ($9.95 of $10.00 per day used), and $0.10 is requested.',
    )
    expect(breachOf({ id: 'run', path: 'run', limits: [] }, balance, 1).message).toContain(
      'It resets at 2026-11-16T00:00:00.000Z.',
    )
  })
})

describe('isStintError', () => {
  it('knows the errors of another copy of the package by their tag', () => {
    const foreign = Object.assign(new Error('from another copy'), {
      code: 'limit_exceeded',
      [Symbol.for('stint.error')]: true,
    })
    expect(isStintError(foreign)).toBe(true)
    expect(isStintError(foreign, 'limit_exceeded')).toBe(true)
    expect(isStintError(foreign, 'invalid_limit')).toBe(false)
    expect(isStintError(new Error('limit_exceeded'))).toBe(false)
    expect(isStintError(null)).toBe(false)
  })

  it('keeps the cause, the code and whether a retry may help', () => {
    const cause = new Error('disk')
    const error = new StintError('unknown_scope', 'text', { cause, retryable: true })
    expect(error).toMatchObject({ name: 'StintError', code: 'unknown_scope', retryable: true, cause })
  })
})
