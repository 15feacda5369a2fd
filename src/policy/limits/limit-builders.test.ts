import { describe, expect, it } from 'vitest'
import * as policy from '../index.ts'
import {
  costLimit,
  InvalidLimitError,
  messageLimit,
  parseLimits,
  timeLimit,
  tokenLimit,
  toolCallLimit,
} from '../index.ts'

describe('the limit builders', () => {
  it('write native objects that compose by spreading and in a list', () => {
    expect(messageLimit(24)).toEqual({ messages: 24 })
    expect(tokenLimit('200k', { per: 'day', action: 'warn' })).toEqual({
      tokens: { max: '200k', per: 'day', action: 'warn' },
    })
    const spread = parseLimits({ ...messageLimit(24), ...toolCallLimit(8), ...timeLimit('90s') })
    const listed = parseLimits([messageLimit(24), toolCallLimit(8), timeLimit('90s')])
    expect(spread.entries.map(({ meter }) => meter)).toEqual(['messages', 'toolCalls', 'time'])
    expect(listed.entries.map(({ meter }) => meter)).toEqual(['messages', 'toolCalls', 'time'])
  })

  it('refuse a bad value immediately and name the builder', () => {
    expect(() => costLimit('$0')).toThrow(InvalidLimitError)
    expect(() => timeLimit('90')).toThrow(
      'time in the call of timeLimit: "90" has no unit. Write time: "90s" or time: "90m".',
    )
    expect(() => timeLimit('90s', { per: 'day' })).toThrow(/takes no period/)
  })

  it('exist for every meter', () => {
    const builders = Object.entries(policy).filter(([name]) => /^[a-z]\w*Limit$/.test(name) && name !== 'parseLimit')
    const meters = builders.map(([, builder]) => Object.keys((builder as typeof messageLimit)(5))[0])
    expect(new Set(meters)).toEqual(new Set(Object.keys(policy.LIMIT_ALIASES)))
  })
})
