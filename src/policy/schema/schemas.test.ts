import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type InvalidLimitError, parseExecutionLimits, parseLimits } from '../index.ts'
import { matchesWhole } from '../limits/amount-form.ts'
import { namedLimitsOf } from '../limits/limit-names.ts'
import { TIME_ZONE_PATTERN } from '../limits/limit-settings.ts'
import { SHARED_BUDGET_NAMES } from '../limits/published-ranges.ts'
import { SCOPE_FIELDS } from '../limits/refuse-name.ts'
import { agentSpawnParamsSchema, EXECUTION_LIMITS_PARSER_RULES } from './agent-spawn-params-schema.ts'
import { LIMITS_PARSER_RULES, limitsSchema } from './limits-schema.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
const acceptsLimits = ajv.compile(limitsSchema())
const acceptsSpawnParams = ajv.compile(agentSpawnParamsSchema())
const RUNS = 4000

/** Whether the parser accepts it, ignoring the rules that the schemas leave to the parser. */
function isAcceptedButForParserRules(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch (error) {
    const { problems } = error as InvalidLimitError
    return problems.every(
      ({ message, value }) =>
        message.includes('with different values') ||
        (message.includes('Unknown time zone') && typeof value === 'string' && matchesWhole(TIME_ZONE_PATTERN, value)),
    )
  }
}

const digit = fc.constantFrom(...'0123456789')
const amountText = fc
  .tuple(
    fc.constantFrom('', '$', '-'),
    fc.array(fc.oneof({ weight: 6, arbitrary: digit }, fc.constantFrom('.', '_', 'e', ' ')), { maxLength: 14 }),
    fc.constantFrom('', 'k', 'K', 'm', 'b', 's', 'ms', 'h', 'd', 'kk'),
    fc.constantFrom('', '30m', '5s', '250ms', '0m', '100s'),
  )
  .map(([sign, digits, suffix, more]) => sign + digits.join('') + suffix + more)

const goodAmount = fc.constantFrom<unknown>(
  25,
  50,
  '50',
  1,
  '1.5k',
  '200_000',
  '90s',
  '1h30m',
  '$1.50',
  0.5,
  '10m',
  60_000,
)
const amount = fc.oneof(
  { weight: 4, arbitrary: goodAmount },
  fc.constantFrom<unknown>(
    0,
    '0',
    -1,
    1.5,
    101,
    1e12,
    1e20,
    99_999_999_999,
    100_000_000_000,
    1e-9,
    1e-10,
    999_999.5,
    1e6,
  ),
  fc.constantFrom<unknown>(
    '',
    '.inf',
    '1e20',
    '50kk',
    'unlimited',
    null,
    true,
    false,
    [],
    {},
    'lots',
    '90',
    ' 1',
    '007',
  ),
  amountText,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const setting = fc.constantFrom<unknown>(
  'day',
  'month',
  'daily',
  'warn',
  'ask',
  'request_increase',
  'output',
  'all',
  null,
)
const zone = fc.constantFrom<unknown>('UTC', 'Europe/Berlin', 'Mars/Olympus', '', 'not a zone', 5, '+02:00')
const nearing = fc.constantFrom<unknown>(0.8, [0.5, 0.9], 0, 1, [], ['0.5'], [0.9, 0.9], new Array(9).fill(0.5), null)
const detail = fc.record(
  { max: amount, per: setting, timeZone: zone, action: setting, nearing, basis: setting, pre: setting },
  { requiredKeys: [] },
)
const goodDetail = fc.record(
  {
    max: goodAmount,
    per: fc.constantFrom('hour', 'day', 'week', 'month'),
    timeZone: zone,
    action: fc.constant('warn'),
  },
  { requiredKeys: ['max'] },
)
const limitValue = fc.oneof(
  { weight: 4, arbitrary: amount },
  goodDetail,
  detail,
  fc.array(fc.oneof(goodDetail, amount, detail), { maxLength: 3 }),
)
const nativeNames = namedLimitsOf('native').map(({ name }) => name)
const key = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...nativeNames) },
  fc.constantFrom('maxTurns', 'mesage', 'team_budget_usd', '__proto__', 'constructor', ''),
)
const scopeValue = fc.oneof(setting, zone, nearing)
const limitsObject = fc
  .tuple(
    fc.array(fc.tuple(key, limitValue), { maxLength: 3 }),
    fc.array(fc.tuple(fc.constantFrom(...SCOPE_FIELDS), scopeValue), { maxLength: 1 }),
  )
  .map(([limits, settings]) => Object.fromEntries([...limits, ...settings]))
const limitText = fc
  .tuple(
    key,
    fc.oneof(goodAmount, amount).map(String),
    fc.constantFrom('', '/day', '/daily', '/'),
    fc.constantFrom('', ':warn', ':wran', ':'),
  )
  .map(([name, value, period, action]) => `${name}=${value}${period}${action}`)
const limitsInput = fc.oneof(
  limitsObject,
  fc.array(fc.oneof(limitsObject, limitText), { maxLength: 3 }),
  limitText,
  amount,
)

describe('the published schemas', () => {
  it('are what the code generates: npm run schemas writes them', () => {
    const committed = (file: string) =>
      JSON.parse(readFileSync(new URL(`../../../schemas/${file}`, import.meta.url), 'utf8'))
    expect(committed('limits.json')).toEqual(limitsSchema())
    const spawn = committed('agent-spawn-params.json')
    // Parameters that are not about limits are compared with their own reader.
    const others = { acceptance: spawn.properties.acceptance }
    expect(spawn).toEqual(agentSpawnParamsSchema(others))
  })

  it('list in their description every rule that only the parser checks', () => {
    for (const rule of LIMITS_PARSER_RULES) expect(limitsSchema().description).toContain(rule)
    for (const rule of EXECUTION_LIMITS_PARSER_RULES) expect(agentSpawnParamsSchema().description).toContain(rule)
  })

  it('G4: limits.json accepts and refuses exactly what parseLimits does', () => {
    let accepted = 0
    fc.assert(
      fc.property(limitsInput, (generated) => {
        const document: unknown = JSON.parse(JSON.stringify(generated))
        const isAccepted = isAcceptedButForParserRules(() => parseLimits(document))
        if (isAccepted) accepted++
        expect({ document, accepted: acceptsLimits(document) }).toEqual({ document, accepted: isAccepted })
      }),
      { numRuns: RUNS },
    )
    // Both outcomes must have occurred.
    expect(accepted).toBeGreaterThan(RUNS / 10)
    expect(accepted).toBeLessThan(RUNS * 0.9)
  })

  it('G4: limits.json and parseLimits agree on every name with every single value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...nativeNames), limitValue, (name, value) => {
        const document: unknown = JSON.parse(JSON.stringify({ [name]: value }))
        const isAccepted = isAcceptedButForParserRules(() => parseLimits(document))
        expect({ document, accepted: acceptsLimits(document) }).toEqual({ document, accepted: isAccepted })
      }),
      { numRuns: RUNS },
    )
  })

  it('G4: agent-spawn-params.json accepts and refuses exactly the execution_limits that the parser does', () => {
    const names = [
      ...namedLimitsOf('execution_limits').map(({ name }) => name),
      ...SHARED_BUDGET_NAMES,
      'toolCalls',
      'max_turn',
    ]
    const field = fc.oneof(
      fc.tuple(fc.constantFrom(...names), limitValue),
      fc.tuple(fc.constantFrom('timeout_action', 'onLimit'), setting),
    )
    const limits = fc.oneof(
      { weight: 8, arbitrary: fc.array(field, { maxLength: 2 }).map((fields) => Object.fromEntries(fields)) },
      amount,
    )
    fc.assert(
      fc.property(limits, (generated) => {
        const document: unknown = JSON.parse(JSON.stringify({ execution_limits: generated }))
        const isAccepted = isAcceptedButForParserRules(() =>
          parseExecutionLimits((document as { execution_limits: unknown }).execution_limits),
        )
        expect({ document, accepted: acceptsSpawnParams(document) }).toEqual({ document, accepted: isAccepted })
      }),
      { numRuns: RUNS },
    )
  })

  it('G4: one meter written twice with different values passes the schema and is refused by the parser', () => {
    for (const document of [
      { turns: 5, toolCalls: 6 },
      [{ cost: 1 }, 'cost=2'],
      { cost: [1, { max: 2 }] },
      { turns: 5, toolCalls: null },
    ]) {
      expect(acceptsLimits(document)).toBe(true)
      expect(() => parseLimits(document)).toThrow(/different values/)
    }
  })

  it('G4: a default of the scope written twice with different values passes the schema and is refused by the parser', () => {
    for (const document of [
      { onLimit: 'warn', timeout_action: 'pause' },
      [{ nearing: 0.5 }, { nearing: 0.6 }],
      [{ timeZone: 'UTC' }, { timeZone: 'Europe/Berlin' }],
    ]) {
      expect(acceptsLimits(document)).toBe(true)
      expect(() => parseLimits(document)).toThrow(/different values/)
    }
  })

  it('G4: a time zone that does not exist passes the schema and is refused by the parser', () => {
    expect(acceptsLimits({ timeZone: 'Mars/Olympus' })).toBe(true)
    expect(() => parseLimits({ timeZone: 'Mars/Olympus' })).toThrow(/time zone/)
  })

  it('G4: max_cost_usd and max_total_cost_usd that differ pass the schema and are refused by the parser', () => {
    const execution_limits = { max_cost_usd: 1, max_total_cost_usd: 2 }
    expect(acceptsSpawnParams({ execution_limits })).toBe(true)
    expect(() => parseExecutionLimits(execution_limits)).toThrow(/different values/)
  })

  it('agent-spawn-params.json takes the published example and refuses a misspelled field', () => {
    const params = {
      subagent_type: 'developer',
      model: 'sonnet',
      description: 'Developer implementing a feature',
      prompt: 'Implement it.',
      allowed_tools: ['Read', 'Write'],
      run_in_background: true,
      execution_limits: { max_turns: 25, max_duration_ms: 600_000, max_cost_usd: 1, timeout_action: 'terminate' },
    }
    expect(acceptsSpawnParams(params)).toBe(true)
    expect(acceptsSpawnParams({ ...params, execution_limit: {} })).toBe(false)
  })
})
