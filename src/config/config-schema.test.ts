import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStintError } from '../core/index.ts'
import { CONFIG_PARSER_RULES, configSchema } from './config-schema.ts'
import type { ConfigProblem, InvalidConfigError } from './invalid-config-error.ts'
import { parseConfig } from './parse-config.ts'
import { SETTING_NAMES } from './settings.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
const accepts = ajv.compile(configSchema())

function problemsOf(value: unknown): readonly ConfigProblem[] {
  try {
    parseConfig({ file: '/project/stint.config.json', value, lineOf: () => 1 }, 'project', '/home')
    return []
  } catch (error) {
    if (!isStintError<InvalidConfigError>(error, 'invalid_config')) throw error
    return error.problems
  }
}

// The parser-only rules that the documents below can violate.
const PARSER_ONLY = /two different values|with different values|Leave out \/v1/

const alert = fc.constantFrom<unknown>(
  false,
  true,
  { meter: 'toolCalls', share: 0.5 },
  { meter: 'time', share: 1 },
  { meter: 'time', share: 0 },
  { meter: 'wallTime', share: 0.5 },
  { meter: 'cost', above: 2.5, per: 'day' },
  { meter: 'cost', above: -1, per: 'day' },
  { meter: 'tokens', above: 2.5, per: 'hour' },
  { meter: 'tokens', above: 20_000, per: 'hour' },
  { meter: 'tokens', above: 20_000, per: 'week' },
  { meter: 'tokens', above: 20_000 },
  { meter: 'cost', share: 0.5, above: 1, per: 'hour' },
  { ends: ['failed', 'stopped'], above: 3, per: 'day' },
  { ends: ['completed'], above: 3, per: 'day' },
  { ends: [], above: 3, per: 'day' },
  { ends: ['failed'], above: 1.5, per: 'day' },
  { name: 'x', meter: 'toolCalls', share: 0.5 },
)
const webhook = fc.constantFrom<unknown>(
  { url: 'https://hooks.example.com/services/T0/B0?x=1' },
  { url: 'http://127.0.0.1:9/', secretEnv: 'HOOK_SECRET', format: 'json', events: ['alert_raised'] },
  { urlEnv: 'SLACK_URL', format: 'slack' },
  { url: 'https://user:word@example.com' },
  { url: 'file:///etc/passwd' },
  { url: 'https://example.com', urlEnv: 'BOTH' },
  { url: 'https://example.com', format: 'xml' },
  { url: 'https://example.com', events: [] },
  { url: 'https://example.com', events: ['call_settled'] },
  { url: 'https://example.com', secret: 'sk-canary' },
  { urlEnv: 'https://example.com' },
  {},
  'https://example.com',
)
const limits = fc.constantFrom<unknown>(
  { cost: 1 },
  { cost: { max: 10, per: 'day' }, turns: 5 },
  ['cost=1', { time: '10m' }],
  { cost: 'lots' },
  { csot: 1 },
  { onLimit: 'warn' },
  'cost=1',
  null,
  5,
)
const budget = fc.oneof(
  fc.record({ limits }),
  fc.constantFrom<unknown>({}, null, { limit: {} }, { limits: {}, more: 1 }, 'cost=1'),
)
const figure = fc.constantFrom<unknown>(3, 0, -1, '$3', 'lots', null, 0.25, true)
const price = fc.oneof(
  fc.record(
    {
      input: figure,
      output: figure,
      cacheRead: figure,
      per: fc.constantFrom('1K', '1M', '1B'),
      note: fc.constant('x'),
    },
    { requiredKeys: ['input', 'output'] },
  ),
  fc.constantFrom<unknown>({ input: 1 }, 5, [], { input: 1, output: 2, ouptut: 3 }, [{ input: 1, output: 2 }]),
)
const upstream = fc.oneof(
  fc.record(
    {
      baseUrl: fc.constantFrom<unknown>(
        'https://api.example.com',
        'http://[::1]:8080/llm/',
        'https://user:word@example.com',
        'https://example.com/?key=1',
        'ftp://example.com',
        'example.com',
        5,
      ),
      apiKeyEnv: fc.constantFrom<unknown>('PROVIDER_KEY', 'sk-ant-secret', '', 5),
      apiKeyFile: fc.constantFrom<unknown>('./key', '~/key', '', 5),
    },
    { requiredKeys: [] },
  ),
  fc.constantFrom<unknown>({}, null, 'sk-secret', { apiKey: 'sk-secret' }, { baseURL: 'https://example.com' }),
)
const provider = fc.oneof(
  fc.record(
    {
      baseUrl: fc.constantFrom<unknown>(
        'https://api.example.com/v1',
        'ftp://example.com',
        'https://a:b@example.com',
        5,
      ),
      apiKeyEnv: fc.constantFrom<unknown>('PROVIDER_KEY', 'sk-ant-secret', null),
    },
    { requiredKeys: [] },
  ),
  fc.constantFrom<unknown>({}, null, 'sk-secret', { apiKey: 'sk-secret' }, { baseUrl: 'http://[::1]:9', more: 1 }),
)
const texts = fc.constantFrom<unknown>(
  {},
  { TOKEN: 'x' },
  { TOKEN: 'two\nlines' },
  { TOKEN: 'a\u0000b' },
  { 'TO-KEN': 'x' },
  { 'TO KEN': 'x' },
  { TOKEN: 5 },
  { TOKEN: { env: 'DOCS_TOKEN', prefix: 'Bearer ' } },
  { TOKEN: { env: 'DOCS_TOKEN', prefix: 'a\nb' } },
  { TOKEN: { env: 'sk-secret' } },
  { TOKEN: { prefix: 'Bearer ' } },
  { TOKEN: { env: 'DOCS_TOKEN', suffix: '' } },
  [],
  null,
)
const mcpServer = fc.oneof(
  fc.record(
    {
      command: fc.constantFrom<unknown>('npx', './server', '', 'a\u0000b', 5),
      args: fc.constantFrom<unknown>([], ['-y', ''], ['a\u0000b'], [5], 'a b', null),
      env: texts,
    },
    { requiredKeys: ['command'] },
  ),
  fc.record(
    {
      url: fc.constantFrom<unknown>(
        'https://example.com/mcp',
        'http://[::1]:80/mcp?team=a%20b&x=$',
        'https://a:b@example.com',
        'https://example.com/mcp#x',
        'file:///etc/passwd',
        5,
      ),
      headers: texts,
      type: fc.constantFrom<unknown>('http', 'sse', 'stdio', null),
    },
    { requiredKeys: ['url'] },
  ),
  fc.constantFrom<unknown>({}, null, 'npx', { args: [] }, { command: 'npx', url: 'https://example.com' }),
  fc.constantFrom<unknown>({ command: 'npx', headers: {} }, { url: 'https://example.com', token: 'sk-secret' }),
)
const model = fc.constantFrom<unknown>('anthropic/claude-opus-5', 'haiku', 'a b', '', 5, null)
const agentLimits = fc.constantFrom<unknown>(
  { cost: 1, tokens: false },
  ['cost=1', { time: false }],
  { cost: true },
  { onLimit: false },
  false,
  null,
)
const agent = fc.oneof(
  fc.record(
    {
      disabled: fc.constantFrom<unknown>(true, false, 'yes'),
      systemPrompt: fc.constantFrom<unknown>('You help.', '', false, 5),
      description: fc.constantFrom<unknown>('Helps.', '', false),
      preset: fc.constantFrom<unknown>('qa', 'nobody', false),
      model: fc.constantFrom<unknown>('haiku', 'two words', '', false, true),
      fallbackModels: fc.constantFrom<unknown>('haiku, opus', ['haiku'], [], ['two words'], false, 5),
      thinking: fc.constantFrom<unknown>('off', 'hard', false),
      tools: fc.constantFrom<unknown>('read, grep', ['read'], [], '', [5], null, false),
      output: fc.constantFrom<unknown>('a/b.md', '../x', '/x', 'a/../b', '..', '~/x', 'C:x', false),
      defaultReads: fc.constantFrom<unknown>(['plan.md'], ['../x'], ['/x'], false),
      completionGuard: fc.constantFrom<unknown>(true, false, 'true'),
      maxTokens: fc.constantFrom<unknown>(5000, false, '50k', 0, null),
      max_turns: fc.constantFrom<unknown>(5, 101, false),
      onLimit: fc.constantFrom<unknown>('warn', 'wran', false),
      timeout_action: fc.constantFrom<unknown>('warn', 'ask', false),
      limits: agentLimits,
      execution_limits: fc.constantFrom<unknown>({ max_turns: 5 }, { max_cost_usd: false }, { turns: 5 }, false),
      name: fc.constant('other'),
    },
    { requiredKeys: [] },
  ),
  fc.constantFrom<unknown>({}, null, false, 'haiku', { modle: 'haiku' }),
)
// Few fields at a time, so that sometimes all of them are valid.
const fewFields = fc
  .tuple(agent, fc.infiniteStream(fc.boolean()))
  .map(([whole, keep]) =>
    typeof whole === 'object' && whole !== null
      ? Object.fromEntries(Object.entries(whole).filter(() => keep.next().value && keep.next().value))
      : whole,
  )
const document = fc
  .record(
    {
      $schema: fc.constantFrom<unknown>('./node_modules/stint/schemas/config.schema.json', 5),
      store: fc.constantFrom<unknown>(
        'memory:',
        'sqlite:x.db',
        'sqlite:',
        'sqlit:x',
        'memory:x',
        5,
        null,
        'sqlite:a\nb',
      ),
      limits,
      onLimit: fc.constantFrom<unknown>('warn', 'wran', 'terminate', null, 'ask'),
      timeZone: fc.constantFrom<unknown>('UTC', 'Europe/Berlin', 'not a zone', 5),
      ceilings: limits,
      budgets: fc.oneof(
        fc.dictionary(fc.constantFrom('team:core', 'user:ann'), budget, { maxKeys: 2 }),
        fc.constantFrom<unknown>([], null, 'x'),
      ),
      prices: fc.oneof(
        fc.dictionary(fc.constantFrom('my-model', 'other'), price, { maxKeys: 2 }),
        fc.constantFrom<unknown>([], null, 3),
      ),
      log: fc.constantFrom<unknown>(
        false,
        true,
        'x.log',
        '',
        { file: 'x.log' },
        { file: 'x.log', keep: 3, maxBytes: 1000 },
        { file: 'x.log', keep: 0 },
        { file: 5 },
        { keep: 3 },
        { file: 'x', kep: 1 },
        null,
      ),
      upstreams: fc.oneof(
        fc.dictionary(fc.constantFrom('anthropic', 'openai', 'opneai'), upstream, { maxKeys: 2 }),
        fc.constantFrom<unknown>({}, [], null, 'sk-secret'),
      ),
      models: fc.oneof(
        fc.dictionary(fc.constantFrom('default', 'gpt-5.1', 'a/b', '', '-x'), model, { maxKeys: 2 }),
        fc.constantFrom<unknown>({}, [], null, 'haiku'),
      ),
      providers: fc.oneof(
        fc.dictionary(fc.constantFrom('anthropic', 'openai', 'groq', 'scripted', 'a b'), provider, { maxKeys: 2 }),
        fc.constantFrom<unknown>({}, [], null, 'sk-secret'),
      ),
      mcpServers: fc.oneof(
        fc.dictionary(fc.constantFrom('docs', 'a_b-c', 'a.b', '', '_x'), mcpServer, { maxKeys: 2 }),
        fc.constantFrom<unknown>({}, [], null, 'npx'),
      ),
      agents: fc.oneof(
        fc.dictionary(fc.constantFrom('developer', 'a.b', '../x', 'a/b', 'x'.repeat(65)), fewFields, { maxKeys: 2 }),
        fc.constantFrom<unknown>([], null, 'developer'),
      ),
      history: fc.constantFrom<unknown>(
        { commands: false },
        { commands: true },
        {},
        { commands: 'no' },
        { days: 30, maxBytes: 2 ** 20 },
        { days: false, maxBytes: false },
        { days: 0 },
        { maxBytes: 1 },
        { days: '30d' },
        { tasks: false },
        [],
        7,
      ),
      onAsk: fc.constantFrom<unknown>(
        'notify-send stint',
        ['notify-send', 'stint'],
        ['sh', ''],
        '',
        ' ',
        [],
        [''],
        [5],
        7,
        null,
        {},
      ),
      alerts: fc.oneof(
        fc.dictionary(fc.constantFrom('spend', 'time-80', 'a b', '', '-x', 'a\nb', 'x'.repeat(101)), alert, {
          maxKeys: 2,
        }),
        fc.constantFrom<unknown>({}, [], null, false, 'spend'),
      ),
      webhooks: fc.oneof(
        fc.dictionary(fc.constantFrom('ops', 'a.b', '', 'a b', '-x'), webhook, { maxKeys: 2 }),
        fc.constantFrom<unknown>({}, [], null, 'https://example.com'),
      ),
      limit: fc.constant({}),
    },
    { requiredKeys: [] },
  )
  .map((value) => value as Record<string, unknown>)
const few = fc
  .tuple(document, fc.subarray([...SETTING_NAMES, 'limit'], { maxLength: 3 }))
  .map(([whole, keys]) => Object.fromEntries(keys.filter((key) => key in whole).map((key) => [key, whole[key]])))

describe('config.schema.json', () => {
  it('matches what the code generates (npm run schemas writes it)', () => {
    const file = new URL('../../schemas/config.schema.json', import.meta.url)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(configSchema())
  })

  it('mentions every rule that only the parser checks in a description', () => {
    for (const rule of CONFIG_PARSER_RULES) expect(configSchema().description).toContain(rule)
  })

  it('has exactly the settings of the parser', () => {
    expect(Object.keys(configSchema().properties as object)).toEqual([...SETTING_NAMES])
  })

  it('G4: accepts and refuses exactly what the parser does', () => {
    let accepted = 0
    fc.assert(
      fc.property(few, (generated) => {
        const value: unknown = JSON.parse(JSON.stringify(generated))
        const isAccepted = problemsOf(value).every(({ message }) => PARSER_ONLY.test(message))
        if (isAccepted) accepted++
        expect({ value, accepted: accepts(value) }).toEqual({ value, accepted: isAccepted })
      }),
      { numRuns: 3000 },
    )
    expect(accepted).toBeGreaterThan(300)
    expect(accepted).toBeLessThan(2700)
  })

  it.each([
    [{ limits: { turns: 5, toolCalls: 6 } }, 'with different values'],
    [{ ceilings: { timeZone: 'Mars/Olympus' } }, 'Unknown time zone'],
    [{ onLimit: 'warn', limits: { onLimit: 'pause' } }, 'two different values'],
    [{ timeZone: 'UTC', limits: { timeZone: 'Europe/Berlin' } }, 'two different values'],
    [{ budgets: { 'a/b': { limits: {} } } }, 'The scope name'],
    [{ prices: { m: { input: 0.000003, output: 15 } } }, 'must be a price per token'],
    [{ prices: { m: { input: 1, output: 1 }, M: { input: 1, output: 1 } } }, 'is priced twice'],
    [{ prices: { m: { input: 1, output: 1, from: '2026-02-31' } } }, 'is not a day'],
    [{ upstreams: { openai: { baseUrl: 'https://example.com:99999' } } }, 'not the address of a provider'],
    [{ upstreams: { anthropic: { baseUrl: 'https://api.anthropic.com/v1/' } } }, 'Leave out /v1'],
    [{ providers: { groq: { baseUrl: 'https://example.com:99999' } } }, 'not the address of a provider'],
    [{ providers: { anthropic: { baseUrl: 'https://api.anthropic.com/v1/' } } }, 'Leave out /v1'],
    [{ mcpServers: { docs: { url: 'https://example.com:99999/mcp' } } }, 'not the address of an MCP server'],
    [{ agents: { developer: { fallbackModels: 'haiku, two words' } } }, 'not a list of models'],
    [{ agents: { developer: { defaultReads: 'plan.md, ../secret' } } }, 'not a list of files in the working folder'],
    [{ agents: { developer: { tools: ' , ' } } }, 'not a list of tools'],
    [{ agents: { developer: { max_turns: 5, limits: { toolCalls: 6 } } } }, 'with different values'],
  ])('G4: %j passes the schema and is refused by the parser', (value, message) => {
    expect(accepts(value)).toBe(true)
    expect(problemsOf(value)[0]?.message).toContain(message)
  })
})
