import { describe, expect, it } from 'vitest'
import { isStintError } from '../../core/stint-error.ts'
import { InvalidLimitError } from './invalid-limit-error.ts'
import { parseLimit } from './parse-limit.ts'
import type { WrittenAt } from './written-at.ts'

describe('parseLimit', () => {
  it('G3: reads the limits of the command line', () => {
    expect(parseLimit('message=24').entries).toMatchObject([{ kind: 'set', meter: 'messages', max: 24 }])
    expect(parseLimit('time=90s').entries).toMatchObject([{ kind: 'set', meter: 'time', max: 90_000 }])
    expect(parseLimit('tokens=200k').entries).toMatchObject([{ kind: 'set', meter: 'tokens', max: 200_000 }])
  })

  it('G3: refuses a misspelled key and suggests the right one', () => {
    const error = refusal('mesage=24')
    expect(isStintError(error, 'invalid_limit')).toBe(true)
    expect(error.message).toBe('the flag --limit mesage=24: Unknown limit "mesage". Did you mean "message"?')
    expect(error.problems).toMatchObject([{ value: 'mesage=24', suggestion: 'message' }])
  })

  it('A16: reads a period and an action', () => {
    expect(parseLimit('cost=$10/day:warn').entries).toEqual([
      {
        kind: 'set',
        meter: 'cost',
        max: 10_000_000_000,
        per: 'day',
        timeZone: null,
        action: 'warn',
        nearing: null,
        source: { layer: 'call', written: 'cost', flag: '--limit cost=$10/day:warn' },
      },
    ])
    expect(parseLimit('turns=25:request_increase').entries).toMatchObject([{ per: null, action: 'ask' }])
  })

  it('reads unlimited as a removal, alone', () => {
    expect(parseLimit('toolCalls=unlimited').entries).toMatchObject([{ kind: 'removal', meter: 'toolCalls' }])
    expect(refusal('cost=unlimited/day').message).toContain('takes no period')
  })

  it.each([
    ['', 'KEY=VALUE'],
    ['turns', 'KEY=VALUE'],
    ['=5', 'KEY=VALUE'],
    ['turns=', 'is empty'],
    ['modelCalls=0', 'zero'],
    ['modelCalls=0x', 'is not a whole number'],
    ['tokens=50kk', 'is not a number of tokens'],
    ['turns=1e20', 'exponent'],
    ['turns=-5', 'negative'],
    ['turns=NaN', 'finite'],
    ['turns=.inf', 'finite'],
    ['turns= 5', 'spaces'],
    ['turns=1.5', 'whole'],
    ['turns=007', 'leading zeros'],
    ['turns=1000000000', '1000000000" is outside the range of turns'],
    ['cost=$1.0000000001', '"$1.0000000001" has more than 9 decimals: the smallest amount is $0.000000001. Write'],
    ['cost=0.0000000001', 'has more than 9 decimals'],
    ['max_cost_usd=1.0000000001', 'has more than 9 decimals'],
    ['cost=$1000000.0000000001', 'is outside the range of cost'],
    ['max_cost_usd=101.0000000001', 'is outside the published range of max_cost_usd'],
    ['tokens=1.0005k', 'has more than 3 decimals: the smallest amount is 1. Write'],
    ['tokens=1.0000000001b', 'has more than 9 decimals'],
    ['tokens=1000000.0005m', 'is outside the range of tokens'],
    ['time=90', 'Write time=90s or time=90m'],
    ['time=90000', 'Write time=90000s or time=90000ms'],
    ['time=10m/day', 'takes no period'],
    ['depth=2/day', 'takes no period'],
    ['concurrency=2/day', 'takes no period'],
    ['cost=10/dya', 'Did you mean "day"'],
    ['cost=10/minute', 'hour, day, week or month'],
    ['cost=10:wran', 'Did you mean "warn"'],
    ['cost=10:warn/day', 'period comes before the action'],
    ['max_turns=200', 'toolCalls=200'],
    ['max_turns=0', 'published range'],
    ['max_cost_usd=0.001', 'cost=0.001'],
    ['max_duration_ms=3600001', 'time=3600001ms'],
    ['maxTokens=50k', 'write 50000, or tokens=50k'],
    ['maxTurns=5', 'toolCalls for the tool calls or modelCalls'],
    ['team_budget_usd=5', 'inside execution_limits'],
    ['onLimit=warn', 'turns=25:warn'],
    ['__proto__=5', 'Unknown limit'],
    [`turns=${'1'.repeat(500)}`, 'KEY=VALUE'],
  ])('A3: refuses %s and says why', (text, reason) => {
    expect(refusal(text).message).toContain(reason)
  })

  it('lists everything that is wrong with a limit', () => {
    expect(refusal('cost=lots/daily:wran').problems.map(({ value }) => value)).toEqual(['lots', 'daily', 'wran'])
  })

  it('shows a hostile text on one line', () => {
    expect(refusal('tur\nns=5').message).not.toContain('\n')
  })

  it('removes control characters of texts and places from messages', () => {
    const controls = /[\p{Cc}\u2028\u202e]/u
    const hostile = ['\u001b[31mevil\nx=1', '\u009b31mx=1', 'cost=\u009b31m', 'cost=5:\u202ewarn']
    const places = [
      { variable: 'STINT_LIMIT' },
      { variable: 'A\u001b[0m' },
      { file: 'a\nb\u001b[0m' },
      { call: 'x\u2028y' },
      { flag: '-l\u007f' },
    ]
    for (const text of hostile) {
      for (const place of places) {
        const { message, problems } = refusal(text, place)
        expect(message).not.toMatch(controls)
        for (const problem of problems) expect(problem.place + problem.message).not.toMatch(controls)
      }
    }
    expect(refusal('\u001b[31mevil\nx=1', { variable: 'STINT_LIMIT' }).problems[0]!.place).toBe(
      '\\u001b[31mevil\\u000ax in the environment variable STINT_LIMIT',
    )
  })

  it('says where else the text was written', () => {
    const place = { layer: 'environment', variable: 'STINT_LIMIT' } as const
    expect(parseLimit('turns=5', place)).toMatchObject({
      layer: 'environment',
      entries: [{ source: { layer: 'environment', written: 'turns', variable: 'STINT_LIMIT' } }],
    })
    expect(parseLimit('turns=5', { flag: '-l turns=5' }).entries[0]!.source.flag).toBe('-l turns=5')
    expect(parseLimit('turns=5', { flag: '-l' }).entries[0]!.source.flag).toBe('-l turns=5')
  })
})

function refusal(text: string, place: WrittenAt = {}): InvalidLimitError {
  try {
    parseLimit(text, place)
  } catch (error) {
    if (error instanceof InvalidLimitError) return error
    throw error
  }
  throw new Error(`${text} was accepted`)
}
