import { describe, expect, it } from 'vitest'
import { InvalidLimitError } from '../limits/invalid-limit-error.ts'
import { parseAgentFields } from './parse-agent-fields.ts'

const LINES: Readonly<Record<string, number>> = { maxTokens: 4, max_turns: 5, limits: 6 }
const at = { file: 'agents/slow.md', lineOf: (field: string) => LINES[field] }

describe('parseAgentFields', () => {
  it('reads the fields of a pi file, as numbers or as digits in text', () => {
    const fields = { name: 'slow', maxSubagentDepth: '1', maxExecutionTimeMs: 150, maxTokens: '50000', tools: 'read' }
    const { limits, defaults } = parseAgentFields(fields, { format: 'pi', ...at })
    expect(limits.entries).toMatchObject([
      { meter: 'depth', max: 1 },
      { meter: 'time', max: 150, source: { layer: 'project', written: 'maxExecutionTimeMs', file: 'agents/slow.md' } },
      { meter: 'uncachedTokens', max: 50_000, source: { line: 4 } },
    ])
    expect(defaults).toBeNull()
  })

  it('G1: lets false clear a limit', () => {
    const { limits } = parseAgentFields({ maxTokens: false, limits: { cost: false } }, { format: 'pi', ...at })
    expect(limits.entries).toMatchObject([
      { kind: 'removal', meter: 'uncachedTokens' },
      { kind: 'removal', meter: 'cost' },
    ])
  })

  it('G2: refuses maxTokens: 50k with file, line, field and value, and offers two ways out', () => {
    const error = refusal({ maxTokens: '50k' }, 'pi')
    expect(error.message).toBe(
      'maxTokens in agents/slow.md:4: "50k" is not a whole number. maxTokens takes a whole number: write 50000, or limits: { tokens: 50k }.',
    )
  })

  it('G2: refuses max_turns: lots with file, line, field and value', () => {
    expect(refusal({ max_turns: 'lots' }, 'stint').message).toContain('max_turns in agents/slow.md:5: "lots"')
  })

  it('reads the names of every format except Claude Code’s in settings, and refuses near misses', () => {
    const fields = { maxTokens: false, maxSubagentDepth: 1, max_turns: 5, limits: { cost: 1 } }
    const { entries } = parseAgentFields(fields, { format: 'settings', ...at, field: 'agents.developer' }).limits
    expect(entries.map(({ kind, meter }) => `${kind} ${meter}`).sort()).toEqual([
      'removal uncachedTokens',
      'set cost',
      'set depth',
      'set toolCalls',
    ])
    expect(entries[0]?.source.field).toMatch(/^agents\.developer\./)
    expect(() => parseAgentFields({ maxToken: 5 }, { format: 'settings' })).toThrow('Did you mean "maxTokens"?')
    expect(() => parseAgentFields({ maxTurns: 5 }, { format: 'settings' })).toThrow('ambiguous')
  })

  it('G2: does nothing with a __proto__ field', () => {
    const fields = JSON.parse('{"__proto__": {"maxTokens": 5}, "name": "x"}')
    expect(parseAgentFields(fields, { format: 'pi', ...at }).limits.entries).toEqual([])
    expect(Object.hasOwn(Object.prototype, 'maxTokens')).toBe(false)
  })

  it('reads maxTurns of a Claude Code file as model calls', () => {
    expect(parseAgentFields({ maxTurns: 10 }, { format: 'claude-code' }).limits.entries).toMatchObject([
      { meter: 'modelCalls', max: 10, source: { written: 'maxTurns' } },
    ])
  })

  it('reads limits, onLimit and execution_limits in every kind of file', () => {
    for (const format of ['stint', 'pi', 'claude-code'] as const) {
      const fields = {
        limits: { tokens: '50k' },
        onLimit: 'pause',
        execution_limits: { max_turns: 5, user_budget_usd: 10 },
      }
      const { limits, defaults, user } = parseAgentFields(fields, { format, ...at })
      expect(limits.entries).toMatchObject([
        { meter: 'tokens', source: { field: 'limits.tokens', line: 6 } },
        { meter: 'toolCalls', source: { field: 'execution_limits.max_turns' } },
      ])
      expect(limits.onLimit).toMatchObject({ action: 'pause' })
      expect(defaults?.entries).toHaveLength(2)
      expect(user?.entries).toMatchObject([{ meter: 'cost', per: 'day' }])
    }
  })

  it('keeps a published default next to a limit with a period, and drops it for one without', () => {
    const meters = (cost: unknown) =>
      parseAgentFields(
        { limits: { cost }, execution_limits: { max_turns: 5 } },
        { format: 'stint', ...at },
      ).defaults!.entries.map(({ meter }) => meter)
    expect(meters({ max: 500, per: 'day' })).toEqual(['time', 'cost'])
    expect(meters([{ max: 500, per: 'day' }, 20])).toEqual(['time'])
    expect(meters(20)).toEqual(['time'])
    expect(meters(null)).toEqual(['time'])
  })

  it('does not let an agent’s fields change the time zone or action of its shared budgets', () => {
    const fields = { onLimit: 'warn', limits: { timeZone: 'Asia/Tokyo' }, execution_limits: { user_budget_usd: 10 } }
    const { user } = parseAgentFields(fields, { format: 'stint', ...at })
    expect(user).toMatchObject({ onLimit: null, timeZone: null, entries: [{ timeZone: null, action: null }] })
  })

  it.each([
    ...'max_cost maxCost cost_usd cost_limit costLimit budget_usd max_budget_usd max_usd budget maxcost'
      .split(' ')
      .map((key) => [key, 'limits.cost'] as const),
    ...['max_time', 'maxTime', 'time_limit', 'max_minutes'].map((key) => [key, 'limits.time'] as const),
    ...['token_limit', 'tokenLimit', 'MAX_TOKEN_COUNT'].map((key) => [key, 'limits.tokens'] as const),
    ['max_iterations', 'limits.toolCalls'],
    ['maxLLMCalls', 'limits.modelCalls'],
    ['exec_limits', 'execution_limits'],
    ['some_limit', 'limits'],
    ['turn', 'limits.turns'],
    ['cots', 'limits.cost'],
    ['tme', 'limits.time'],
    ['costs', 'limits.cost'],
    ['max_turn', 'max_turns'],
    ['team_budget', 'execution_limits.team_budget_usd'],
    ['userBudgetUsd', 'execution_limits.user_budget_usd'],
  ] as const)('refuses %s in a stint file and suggests %s', (key, suggestion) => {
    for (const value of [5, '5', { max: 5 }]) {
      expect(refusal({ [key]: value }, 'stint').problems).toMatchObject([{ suggestion }])
    }
  })

  it('does not mistake an ordinary field with ordinary text for a limit', () => {
    const fields = { type: 'agent', use: 'always', delimiter: ',', maxRetries: 2, learning: 'on', timeline: 'x' }
    expect(parseAgentFields(fields, { format: 'stint' }).limits.entries).toEqual([])
  })

  it.each(['stint', 'pi', 'claude-code'] as const)(
    'refuses a top-level field of a %s file that belongs further in, and says where',
    (format) => {
      for (const name of ['team_budget_usd', 'user_budget_usd']) {
        expect(refusal({ [name]: 10 }, format).message).toContain('Write it inside execution_limits')
      }
      expect(refusal({ nearing: 0.5 }, format).message).toContain('limits: { nearing: … }')
      for (const name of ['timeZone', 'timezone', 'time_zone']) {
        expect(refusal({ [name]: 'UTC' }, format).message).toContain('limits: { timeZone: … }')
      }
      for (const name of ['cost', 'time', 'tokens', 'messages', 'timeout', 'turns', 'steps', 'toolCalls']) {
        expect(refusal({ [name]: 5 }, format).message).toContain('Write it inside limits')
      }
      if (format !== 'stint') expect(refusal({ timeout_action: 'warn' }, format).message).toContain('onLimit')
    },
  )

  it('refuses two fields that contradict each other', () => {
    expect(refusal({ max_turns: 5, limits: { toolCalls: 6 } }, 'stint').message).toContain(
      'max_turns and toolCalls are aliases',
    )
    expect(refusal({ limits: { cost: 2 }, execution_limits: { max_cost_usd: 1 } }, 'stint').message).toContain(
      'aliases',
    )
  })

  it('C3: refuses timeoutMs and maxRuntimeMs with different values, and says that they are aliases', () => {
    for (const format of ['stint', 'pi'] as const) {
      expect(refusal({ timeoutMs: 1000, maxRuntimeMs: 2000 }, format).message).toContain(
        'timeoutMs and maxRuntimeMs are aliases',
      )
      expect(parseAgentFields({ timeoutMs: 1000, maxRuntimeMs: 1000 }, { format }).limits.entries).toHaveLength(1)
    }
  })

  it.each([
    ['pi', { maxToken: 50_000 }, 'Did you mean "maxTokens"'],
    ['pi', { max_tokens: 50_000 }, 'Did you mean "maxTokens"'],
    ['stint', { limit: { toolCalls: 5 } }, 'Did you mean "limits"'],
    ['stint', { toolCalls: 5 }, 'limits: { toolCalls: … }'],
    ['stint', { cost: 5 }, 'limits: { cost: … }'],
    ['stint', { maxTokens: 5 }, 'limits: { uncachedTokens: … }'],
    ['stint', { maxTurns: 5 }, 'ambiguous'],
    ['claude-code', { max_turns: 5 }, 'limits: { toolCalls: … }'],
    ['pi', { maxTokens: 0 }, 'zero'],
    ['pi', { maxTokens: '' }, 'empty'],
    ['pi', { maxExecutionTimeMs: '10m' }, 'write 600000, or limits: { time: 10m }'],
    ['pi', { maxSubagentDepth: -1 }, 'negative'],
    ['claude-code', { maxTurns: 'many' }, 'whole number'],
    ['stint', { limits: false }, 'not a set of limits'],
    ['stint', { execution_limits: [] }, 'not an object'],
    ['stint', 'text', 'not an object with at most 1000 fields'],
  ] as const)('in a %s file, refuses %j, which would otherwise mean unlimited', (format, fields, reason) => {
    expect(refusal(fields, format).message).toContain(reason)
  })

  it('reads askAbove, with its place', () => {
    const fields = { askAbove: { agents: 8, cost: false } }
    const at = { format: 'stint', file: 'lead.md', lineOf: () => 4 } as const
    expect(parseAgentFields(fields, at).askAbove).toMatchObject([
      { entries: [{ kind: 'set', meter: 'spawns', max: 8 }, { kind: 'removal' }] },
    ])
    const wrong = () => parseAgentFields({ askAbove: { turns: 8 } }, at)
    expect(wrong).toThrow('askAbove.turns in lead.md:4: turns: 8 is neither a number of agents nor a cost')
  })

  it('ignores the other fields of such files', () => {
    const names =
      'name description model tools thinking skills extensions output outputMode reads progress defaultReads defaultProgress defaultContext completionGuard interactive fallbackModels systemPromptMode inheritProjectContext inheritSkills mcpDirectTools package disabled color memory hooks effort background isolation permissionMode mcpServers disallowedTools initialPrompt acceptance attempts preset worktree context version license metadata'
    const fields = Object.fromEntries(names.split(' ').map((name) => [name, 'x']))
    for (const format of ['stint', 'pi', 'claude-code'] as const) {
      expect(parseAgentFields(fields, { format }).limits.entries).toEqual([])
    }
  })
})

function refusal(fields: unknown, format: 'stint' | 'pi' | 'claude-code'): InvalidLimitError {
  try {
    parseAgentFields(fields, { format, ...at })
  } catch (error) {
    if (error instanceof InvalidLimitError) return error
    throw error
  }
  throw new Error('was accepted')
}
