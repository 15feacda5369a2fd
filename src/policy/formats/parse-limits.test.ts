import { describe, expect, it } from 'vitest'
import { InvalidLimitError } from '../limits/invalid-limit-error.ts'
import { LIMIT_ALIASES } from '../limits/limit-names.ts'
import { parseLimits } from './parse-limits.ts'

describe('parseLimits', () => {
  it('reads a native object, each limit with its place', () => {
    const limits = parseLimits(
      { toolCalls: 25, cost: 1, time: '10m', onLimit: 'warn' },
      { layer: 'project', file: 'stint.yaml', field: 'limits', line: (field) => ({ 'limits.cost': 7 })[field] },
    )
    expect(limits.entries.map(({ meter }) => meter)).toEqual(['toolCalls', 'cost', 'time'])
    expect(limits.entries[1]).toMatchObject({
      max: 1_000_000_000,
      source: { layer: 'project', written: 'cost', field: 'limits.cost', file: 'stint.yaml', line: 7 },
    })
    expect(limits.onLimit).toMatchObject({ action: 'warn', source: { field: 'limits.onLimit' } })
  })

  it.each(Object.entries(LIMIT_ALIASES).flatMap(([meter, names]) => [meter, ...names].map((name) => [name, meter])))(
    'reads %s as a limit on %s',
    (name, meter) => {
      const value = /time|wall|idle|duration|heartbeat|working|timeout/i.test(name) && !/ms$/i.test(name) ? '5s' : 5
      const entries = parseLimits({ [name]: name === 'max_duration_ms' ? 5000 : value }).entries
      expect(entries).toMatchObject([{ kind: 'set', meter, source: { written: name } }])
    },
  )

  it('reads a limit with details', () => {
    const input = {
      tokens: {
        max: '500k',
        basis: 'output',
        per: 'day',
        action: 'warn',
        nearing: [0.9, 0.5],
        timeZone: 'Europe/Berlin',
      },
    }
    expect(parseLimits(input).entries).toMatchObject([
      {
        meter: 'outputTokens',
        max: 500_000,
        per: 'day',
        action: 'warn',
        nearing: [0.5, 0.9],
        timeZone: 'Europe/Berlin',
      },
    ])
    expect(parseLimits({ tokens: { max: 5, basis: 'uncached' } }).entries[0]!.meter).toBe('uncachedTokens')
    expect(parseLimits({ tokens: { max: 5, basis: 'all' } }).entries[0]!.meter).toBe('tokens')
  })

  it('A16: reads one limit per period', () => {
    const { entries } = parseLimits(
      {
        cost: [
          { max: 10, per: 'day' },
          { max: 100, per: 'month' },
        ],
      },
      { field: 'limits' },
    )
    expect(entries).toMatchObject([
      { max: 10_000_000_000, per: 'day', source: { field: 'limits.cost[0].max' } },
      { max: 100_000_000_000, per: 'month', source: { field: 'limits.cost[1].max' } },
    ])
  })

  it('reads a list of objects and texts as one layer', () => {
    const limits = parseLimits([{ messages: 24 }, 'time=90s', parseLimits({ cost: 1 })], {
      layer: 'project',
      call: 'open',
    })
    expect(limits.entries.map(({ meter, source }) => [meter, source.layer])).toEqual([
      ['messages', 'project'],
      ['time', 'project'],
      ['cost', 'project'],
    ])
    expect(limits.entries[1]!.source.field).toBe('[1]')
  })

  it('names the flag of each text of a list', () => {
    const { entries } = parseLimits(['turns=5', 'time=90s'], { flag: '--limit' })
    expect(entries.map(({ source }) => source.flag)).toEqual(['--limit turns=5', '--limit time=90s'])
  })

  it('returns parsed limits unchanged, and mistakes nothing else for them', () => {
    const limits = parseLimits({ toolCalls: 5 })
    expect(parseLimits(limits)).toBe(limits)
    expect(() => parseLimits(JSON.parse(JSON.stringify(limits)))).toThrow(InvalidLimitError)
  })

  it('reads null and unlimited as a removal, and false only where the format allows it', () => {
    for (const value of [null, 'unlimited']) {
      expect(parseLimits({ cost: value }).entries).toMatchObject([{ kind: 'removal', meter: 'cost' }])
    }
    expect(parseLimits({ cost: false }, { allowFalse: true }).entries).toMatchObject([{ kind: 'removal' }])
    expect(problemsOf({ cost: false })).toMatchObject([{ message: expect.stringContaining('Write null') }])
  })

  it.each([
    0,
    '0',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    '',
    '.inf',
    '1e20',
    1e20,
    true,
    [],
    {},
    '50kk',
    undefined,
    1n,
    () => 5,
    Symbol('x'),
    new Map(),
    new Date(0),
  ])('A3: refuses %s, with its place, for every meter where it has no meaning', (value) => {
    for (const meter of Object.keys(LIMIT_ALIASES)) {
      if (['toolCalls', 'spawns', 'depth'].includes(meter) && (value === 0 || value === '0')) continue
      const [problem, ...others] = problemsOf({ [meter]: value }, { file: 'stint.yaml', line: 3, field: 'limits' })
      expect(others).toEqual([])
      expect(problem!.place).toMatch(new RegExp(`^limits\\.${meter}(\\.max)? in stint\\.yaml:3$`))
      expect(problem!.message).toMatch(/Write|write/)
    }
  })

  it.each([
    [{ mesage: 24 }, 'Did you mean "message"'],
    [{ toolcalls: 24 }, 'Did you mean "toolCalls"'],
    [{ onLimt: 'warn' }, 'Did you mean "onLimit"'],
    [{ maxTurns: 5 }, 'ambiguous'],
    [{ team_budget_usd: 5 }, 'inside execution_limits'],
    [JSON.parse('{"__proto__": 5}'), 'Unknown limit "__proto__"'],
    [{ cost: { max: 5, pre: 'day' } }, 'Did you mean "per"'],
    [{ cost: { per: 'day' } }, 'max is missing'],
    [{ cost: { max: null, per: 'day' } }, 'write cost: null instead'],
    [{ cost: { max: 5, per: 'fortnight' } }, 'Unknown period'],
    [{ cost: { max: 5, timeZone: 'UTC' } }, 'no effect without a period'],
    [{ cost: { max: 5, per: 'day', timeZone: 'Mars/Olympus' } }, 'Unknown time zone'],
    [{ cost: { max: 5, basis: 'output' } }, 'has no basis'],
    [{ tokens: { max: 5, basis: 'ouput' } }, 'Did you mean "output"'],
    [{ cost: [null] }, 'not a maximum'],
    [{ cost: new Array(17).fill(1) }, 'too long'],
    [{ time: ['10m'] }, 'not a maximum'],
    [{ time: { max: '10m', per: 'day' } }, 'takes no period'],
    [{ cost: '10/day' }, 'per: "day"'],
    [{ time: '90' }, 'time: "90s"'],
    [{ max_turns: 101 }, 'toolCalls: 101'],
    [{ max_turns: '25' }, 'is text'],
    [{ max_cost_usd: 0.001 }, 'cost: 0.001'],
    [{ onLimit: 'wran' }, 'Did you mean "warn"'],
    [{ timeout_action: 'ask' }, 'Unknown action'],
    [null, 'not a set of limits'],
    ['turns=5', 'not a set of limits'],
    [[5], 'not a set of limits'],
    [new Array(65).fill({}), 'too long'],
    [Object.create({ toolCalls: 5 }), 'not a set of limits'],
  ])('A3: refuses %j and says why', (input, reason) => {
    expect(problemsOf(input)).toMatchObject([{ message: expect.stringContaining(reason) }])
  })

  it('A8: refuses a nearing threshold outside (0, 1), alone and in a list', () => {
    for (const nearing of [0, 1, -0.5, 1.5, Number.NaN, '0.8', [], [0.5, 1], new Array(9).fill(0.5), true]) {
      expect(problemsOf({ toolCalls: { max: 5, nearing } })).toMatchObject([
        { message: expect.stringContaining('not a threshold') },
      ])
      expect(problemsOf({ nearing })).toMatchObject([{ message: expect.stringContaining('not a threshold') }])
    }
  })

  it('C3: refuses two names of one meter with different values, and accepts equal ones', () => {
    expect(problemsOf({ timeoutMs: 5000, maxRuntimeMs: 6000 })[0]!.message).toContain(
      'timeoutMs and maxRuntimeMs are aliases',
    )
    expect(parseLimits({ timeoutMs: 5000, maxRuntimeMs: 5000 }).entries).toHaveLength(1)
    expect(parseLimits({ timeoutMs: 5000, wallTime: '5s' }).entries).toHaveLength(1)
  })

  it('refuses one meter written twice with another value, action or removal', () => {
    for (const input of [
      [{ cost: 1 }, { cost: 2 }],
      [{ cost: 1 }, { cost: { max: 1, action: 'warn' } }],
      [{ cost: 1 }, 'cost=unlimited'],
      [{ cost: null }, 'cost=5/day'],
      { tokens: { max: 5, basis: 'output' }, outputTokens: 6 },
    ]) {
      expect(problemsOf(input)).toMatchObject([{ message: expect.stringContaining('different values') }])
    }
    expect(parseLimits([{ cost: 1 }, 'cost=5/day', 'usd=1']).entries).toHaveLength(2)
  })

  it('reports all problems at once, in at most ten lines', () => {
    const wrong = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`wrong${index}`, index]))
    const error = refusal([wrong, wrong, wrong])
    expect(error.problems).toHaveLength(100)
    expect(error.message.split('\n')).toHaveLength(10)
    expect(error.message).toContain('… and 92 more')
  })

  it('refuses an object with very many keys after a look at a few', () => {
    const input = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`wrong${index}`, index]))
    expect(problemsOf(input)).toHaveLength(100)
    expect(problemsOf({ cost: { max: 5, ...input } })).toHaveLength(99)
  })

  it('names the invalid threshold of a list', () => {
    expect(problemsOf({ nearing: [0.5, '0.9'] })[0]!.message).toContain('"0.9" is not a threshold')
  })

  it('refuses an object whose limits are inherited, at every depth', () => {
    const bare = (fields: object) => Object.create(Object.assign(Object.create(null), fields))
    for (const input of [bare({ cost: 1 }), Object.create({ cost: 1 }), [bare({ cost: 1 })]]) {
      expect(problemsOf(input)[0]!.message).toContain('is not a set of limits')
    }
    expect(problemsOf({ cost: bare({ max: 1 }) })[0]!.message).toContain('not a maximum')
  })

  it('normalizes the spelling of a time zone', () => {
    for (const zone of ['utc', 'Etc/UTC', 'UTC']) {
      const { timeZone, entries } = parseLimits({ timeZone: zone, cost: { max: 1, per: 'day', timeZone: zone } })
      expect(timeZone).toMatchObject({ name: 'UTC' })
      expect(entries).toMatchObject([{ timeZone: 'UTC' }])
    }
    expect(parseLimits({ timeZone: 'europe/BERLIN' }).timeZone).toMatchObject({ name: 'Europe/Berlin' })
  })

  it('shows a hostile key on one line', () => {
    expect(problemsOf({ ['x\n'.repeat(1000)]: 5 })[0]!.place).not.toContain('\n')
  })

  it('accepts undefined for a default of the scope, as code often passes it on', () => {
    expect(parseLimits({ onLimit: undefined, nearing: undefined }).onLimit).toBeNull()
  })
})

function refusal(input: unknown, options = {}): InvalidLimitError {
  try {
    parseLimits(input, options)
  } catch (error) {
    if (error instanceof InvalidLimitError) return error
    throw error
  }
  throw new Error('was accepted')
}

function problemsOf(input: unknown, options = {}) {
  return refusal(input, options).problems
}
