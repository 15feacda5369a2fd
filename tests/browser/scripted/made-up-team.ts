import type {
  Answer,
  Entry,
  IncreaseRequest,
  Limit,
  Meter,
  Reservation,
  RowUsage,
  Scope,
  ScopeRow,
} from '../../../src/server/contract.ts'
import type { Answers } from './scripted-api.ts'

const USD = 1_000_000_000
const MINUTE = 60_000
const HOUR = 3_600_000

/** A function that returns every text as it is, or something else in its place. */
export type Words = (text: string) => string

const UNITS: Readonly<Partial<Record<Meter, RowUsage['unit']>>> = {
  cost: 'nanoUsd',
  tokens: 'tokens',
  time: 'milliseconds',
}

function used(
  meter: Meter,
  limit: number | null,
  settled: number,
  reserved = 0,
  held = 0,
  per: RowUsage['per'] = null,
): RowUsage {
  const remaining = limit === null ? null : Math.max(0, limit - settled - reserved - held)
  const overrun = limit === null ? 0 : Math.max(0, settled - limit)
  return {
    unit: UNITS[meter] ?? 'count',
    limit,
    settled,
    reserved,
    held,
    remaining,
    overrun,
    resetsAt: per === null ? null : Date.now() + 6 * HOUR,
    per,
    action: limit === null ? null : 'terminate',
    written: limit === null ? null : meter === 'toolCalls' ? 'turns' : meter,
  }
}

/** The scopes of a team at work. */
export function madeUpScopes(say: Words = (text) => text): readonly ScopeRow[] {
  const now = Date.now()
  const row = (id: string, more: Partial<ScopeRow> & { readonly name: string }): ScopeRow => ({
    id,
    parentId: null,
    path: say(more.name),
    kind: 'agent',
    status: 'running',
    agentType: null,
    openedAtMs: now - 4 * MINUTE,
    closedAtMs: null,
    activeMs: 3 * MINUTE,
    openChildren: 0,
    isStale: false,
    pause: null,
    usage: {},
    ...more,
    ...(more.name === undefined ? {} : { name: say(more.name) }),
    ...(more.agentType == null ? {} : { agentType: say(more.agentType) }),
  })
  return [
    row('core', {
      name: 'team:core',
      kind: 'lasting',
      usage: { cost: used('cost', 100 * USD, 71.4 * USD, 2.2 * USD, 0.9 * USD, 'day') },
    }),
    row('dev', {
      parentId: 'core',
      name: 'developer',
      path: 'team:core/developer',
      usage: {
        cost: used('cost', 1.5 * USD, 0.82 * USD, 0.21 * USD, 0.06 * USD),
        toolCalls: used('toolCalls', 25, 14, 1),
      },
    }),
    row('qa', {
      parentId: 'dev',
      name: 'qa',
      agentType: 'qa',
      openedAtMs: now - MINUTE,
      usage: { toolCalls: used('toolCalls', 10, 4, 1), cost: used('cost', null, 0.09 * USD) },
    }),
    row('review', {
      parentId: 'dev',
      name: 'code-reviewer',
      status: 'completed',
      closedAtMs: now - 2 * MINUTE,
      usage: { cost: used('cost', 0.5 * USD, 0.31 * USD) },
    }),
    row('arch', {
      parentId: 'core',
      name: 'architect',
      status: 'paused',
      pause: { reason: 'limit', by: null, atMs: now, requestId: 'r1' },
      usage: { cost: used('cost', 5 * USD, 4.85 * USD, 0, 0.12 * USD), time: used('time', 30 * MINUTE, 21 * MINUTE) },
    }),
    row('docs', {
      parentId: 'core',
      name: 'docs-writer',
      status: 'limit-reached',
      closedAtMs: now - 12 * MINUTE,
      usage: { toolCalls: used('toolCalls', 15, 15), cost: used('cost', null, 0.44 * USD) },
    }),
    row('research', {
      name: 'team:research',
      kind: 'lasting',
      usage: { cost: used('cost', 40 * USD, 12.06 * USD, 0.8 * USD, 0.3 * USD, 'day') },
    }),
    row('res1', {
      parentId: 'research',
      name: 'researcher',
      usage: { tokens: used('tokens', 2_000_000, 1_240_000, 88_000), cost: used('cost', null, 1.92 * USD) },
    }),
    row('claude', {
      name: 'claude',
      usage: { cost: used('cost', 1 * USD, 0.93 * USD, 0.05 * USD, 0.02 * USD), toolCalls: used('toolCalls', 25, 19) },
    }),
    row('script', { name: 'nightly-import.py', status: 'queued' }),
  ]
}

/** A team at work: what every address of the API answers about it. `say` changes each text that others wrote. */
export function madeUpTeam(say: Words = (text) => text): Answers {
  const now = Date.now()
  const scopes = madeUpScopes(say)
  const request: IncreaseRequest = {
    id: 'r1',
    scopeId: 'arch',
    scopePath: say('team:core/architect'),
    meter: 'cost',
    unit: 'nanoUsd',
    per: null,
    key: 'arch cost',
    settled: 4.85 * USD,
    limit: 5 * USD,
    asked: 2 * USD,
    reason: say('Two of the seven services are left to read, and the diagram.'),
    status: 'open',
    granted: null,
    by: null,
    openedAtMs: now - MINUTE,
    expiresAtMs: now + 24 * MINUTE,
    answeredAtMs: null,
  }
  return {
    'GET /api/session': {
      by: say('ann'),
      role: 'admin',
      scopeId: null,
      expiresAtMs: null,
      version: '0.1.0',
      agents: null,
      upstreams: ['anthropic'],
    },
    'GET /api/tree': { cursor: '1', scopes, isTruncated: false },
    'GET /api/requests': { requests: [request], isTruncated: false },
    'GET /api/alerts': {
      alerts: [
        {
          id: 'a1',
          ts: new Date(now - 3 * MINUTE).toISOString(),
          rule: say('spend'),
          message: say('More than $10 in an hour: $11.20.'),
          scope: 'core',
          scopePath: say('team:core'),
          value: 11.2,
          threshold: 10,
          windowMs: HOUR,
        },
      ],
      isTruncated: false,
    },
    'GET /api/reports/forecast': forecastOf(now, say),
    'GET /api/reports/spend': spendOf(now, say),
    'GET /api/reports/cost': costOf(now),
    'GET /api/reports/limits': {
      sinceMs: now - 24 * HOUR,
      untilMs: now,
      hours: Array.from({ length: 24 }, (_, index) => {
        const runs = (index * 7) % 5
        const actions = {
          terminate: runs - (runs > 2 ? 1 : 0),
          pause: runs > 2 ? 1 : 0,
          warn: index % 6 === 0 ? 1 : 0,
          ask: 0,
        }
        return { hourMs: hourOf(now) - (23 - index) * HOUR, runs, actions }
      }),
      actions: { terminate: 31, pause: 8, warn: 12, ask: 4 },
      meters: [
        { meter: 'toolCalls', count: 22 },
        { meter: 'cost', count: 19 },
        { meter: 'time', count: 14 },
      ],
    },
    'GET /api/reports/agents': {
      sinceMs: now - 7 * 24 * HOUR,
      untilMs: now,
      agents: [
        ['developer', 142, 17.2, 6.4, 0.71],
        ['code-reviewer', 96, 8.1, 2.2, 0.24],
        ['architect', 18, 31.5, 17.8, 3.62],
        ['qa', 121, 5.4, 1.6, 0.08],
        ['researcher', 33, 26.9, 11.2, 1.94],
      ].map(([name, runs, turns, minutes, cost]) => ({
        agentType: say(String(name)),
        runs: Number(runs),
        statuses: { completed: Math.round(Number(runs) * 0.9), 'limit-reached': Math.round(Number(runs) * 0.1) },
        averageTurns: Number(turns),
        averageActiveMs: Number(minutes) * MINUTE,
        averageCostNanoUsd: Number(cost) * USD,
        totalCostNanoUsd: Math.round(Number(cost) * Number(runs) * USD),
      })),
    },
    'GET /api/reports/suggestions': {
      sinceMs: now - 30 * 24 * HOUR,
      suggestions: [
        {
          agentType: say('developer'),
          meter: 'toolCalls',
          unit: 'count',
          suggested: 32,
          current: 25,
          done: 128,
          cut: 14,
          text: say('cuts 4% of runs'),
        },
        {
          agentType: say('architect'),
          meter: 'cost',
          unit: 'nanoUsd',
          suggested: null,
          current: 5 * USD,
          done: 7,
          cut: 11,
          text: say('fewer than 20 successful runs'),
        },
      ],
    },
    'GET /api/scopes/:id': detailsOf([scopeOf(scopes[0]!, say), scopeOf(scopes[1]!, say)], request, say),
    'POST /api/scopes/:id/pause': { id: 'dev', path: say('team:core/developer'), status: 'paused', isNew: true },
    'GET /api/scopes/:id/explain': { id: 'dev', path: say('team:core/developer'), scopes: [] },
    'GET /api/scopes/:id/history': { entries: historyOf(now, say), cursor: 99, hasMore: false, isReset: false },
    'GET /api/tasks/:id/transcript': {
      lines: [
        {
          at: new Date(now - 4 * MINUTE).toISOString(),
          type: 'message',
          message: { role: 'user', content: say('Add a --json flag to the report command.') },
        },
        {
          at: new Date(now - 3 * MINUTE).toISOString(),
          type: 'message',
          message: {
            role: 'assistant',
            content: [
              { type: 'text', text: say('I will read the command first.') },
              { type: 'tool-call', toolCallId: '1', toolName: say('read'), input: { path: say('src/report.ts') } },
            ],
          },
        },
        {
          at: new Date(now - 3 * MINUTE).toISOString(),
          type: 'message',
          message: {
            role: 'tool',
            content: [
              {
                type: 'tool-result',
                toolCallId: '1',
                toolName: say('read'),
                output: { type: 'text', value: say('export function report() {}') },
              },
            ],
          },
        },
        {
          at: new Date(now - 2 * MINUTE).toISOString(),
          type: 'note',
          note: say('Budget: 11 of 25 turns and $0.68 left.'),
        },
      ],
      next: 4,
      hasMore: false,
    },
  }
}

function costOf(now: number): Answer<'GET /api/reports/cost'> {
  const costs = {
    input: 14.2,
    cacheRead: 21.9,
    cacheWrite: 18.06,
    output: 22.4,
    thinking: 4.8,
    closing: 1.6,
    assumed: 0.5,
  }
  const parts = Object.entries(costs).map(([part, cost]) => ({ part, costNanoUsd: Math.round(cost * USD) }))
  const answer: unknown = { sinceMs: now - 24 * HOUR, untilMs: now, costNanoUsd: 83.46 * USD, parts }
  return answer as Answer<'GET /api/reports/cost'>
}

function hourOf(atMs: number): number {
  return atMs - (atMs % HOUR)
}

function forecastOf(now: number, say: Words): Answer<'GET /api/reports/forecast'> {
  const limit = (scopeId: string, path: string, max: number, left: number, perHour: number) => ({
    scopeId,
    scopePath: say(path),
    meter: 'cost' as const,
    unit: 'nanoUsd' as const,
    written: say('cost'),
    per: path.startsWith('team') ? ('day' as const) : null,
    limit: max * USD,
    settled: (max - left) * USD,
    remaining: left * USD,
    resetsAt: now + 6 * HOUR,
    perHour: perHour * USD,
    windowMs: HOUR,
    elapsedMs: HOUR,
    runsOutAtMs: now + (left / perHour) * HOUR,
  })
  return {
    limits: [
      limit('claude', 'claude', 1, 0.05, 0.6),
      limit('dev', 'team:core/developer', 1.5, 0.41, 1.1),
      limit('core', 'team:core', 100, 25.5, 9.4),
    ],
  }
}

function spendOf(now: number, say: Words): Answer<'GET /api/reports/spend'> {
  const models = ['claude-sonnet-4-5', 'claude-opus-4-5', 'gpt-5.2', 'gemini-3-flash']
  const rows = models.map((model, row) => {
    const hours = Array.from({ length: 24 }, (_, index) => {
      const cost = (1 + 2 * Math.abs(Math.sin(index / 3.7 + row))) / (row + 1)
      return { hourMs: hourOf(now) - (23 - index) * HOUR, costNanoUsd: Math.round(cost * USD) }
    })
    const costNanoUsd = hours.reduce((sum, hour) => sum + hour.costNanoUsd, 0)
    return { key: say(model), calls: 900 - row * 210, totals: { costNanoUsd, tokens: 20_000_000 }, hours }
  })
  const total = { calls: 2340, totals: { costNanoUsd: 83.46 * USD, tokens: 84_000_000 } }
  return { by: 'model', sinceMs: now - 24 * HOUR, untilMs: now, rows, total }
}

function scopeOf(row: ScopeRow, say: Words): Scope {
  const usage = Object.entries(row.usage).map(([meter, use]) => [
    meter,
    { ...use, assumed: 0, refused: 0, windows: [] },
  ])
  const limits = Object.entries(row.usage).flatMap(([meter, use]): Limit[] =>
    use.limit === null
      ? []
      : [
          {
            ...use,
            meter: meter as Meter,
            limit: use.limit,
            remaining: use.remaining ?? 0,
            timeZone: null,
            action: 'terminate',
            nearing: [0.8],
            isCounted: true,
            assumed: 0,
            layer: 'call',
            place: say(`the flag --limit ${use.written}=${use.limit}`),
            source: { layer: 'call', written: say(use.written ?? meter) },
          },
        ],
  )
  return {
    id: row.id,
    parentId: row.parentId,
    name: row.name,
    path: row.path,
    kind: row.kind,
    status: row.status,
    owner: { holder: say('pid 4711 on build-7'), isAlive: true },
    isOrphaned: false,
    openedAtMs: row.openedAtMs,
    closedAtMs: row.closedAtMs,
    activeMs: row.activeMs,
    openChildren: 1,
    revision: 1,
    labels: {},
    about: {
      task: say('Add a --json flag to the report command.'),
      by: say('ann'),
      host: say('build-7'),
      folder: say('~/project'),
    },
    pause: null,
    totals: {
      costNanoUsd: { settled: 0.82 * USD, reserved: 0.21 * USD, assumed: 0 },
      toolCalls: { settled: 14, reserved: 1, assumed: 0 },
      modelCalls: { settled: 16, reserved: 1, assumed: 0 },
      tokens: { settled: 412_000, reserved: 31_000, assumed: 0 },
    },
    usage: Object.fromEntries(usage),
    limits,
  }
}

function detailsOf(
  [above, scope]: readonly [Scope, Scope],
  request: IncreaseRequest,
  say: Words,
): Answer<'GET /api/scopes/:id'> {
  const open: Reservation = {
    id: 'c99',
    scopeId: 'dev',
    scopePath: say('team:core/developer'),
    scopeIds: ['core', 'dev'],
    holder: 'x',
    state: 'open',
    reserved: { costNanoUsd: 0.21 * USD },
    charged: null,
    atMs: Date.now() - 4_000,
    units: 4096,
    about: { call: 'model', name: say('claude-sonnet-4-5'), outputTokens: 32_000 },
    result: null,
    endedAtMs: null,
  }
  return {
    scope,
    ancestors: [above],
    reservations: { open: [open], assumed: [] },
    requests: [request],
    denials: [],
    task: taskOf(scope, say),
  }
}

function taskOf({ id, path, usage, limits }: Scope, say: Words): NonNullable<Answer<'GET /api/scopes/:id'>['task']> {
  const written: unknown = {
    id,
    path,
    agent: say('developer'),
    model: say('anthropic/claude-sonnet-4-5'),
    status: 'limit-reached',
    taskStatus: 'failed',
    isStale: false,
    subject: say('Add a --json flag'),
    task: say('Add a --json flag to the report command.'),
    workingFolder: say('~/project'),
    reason: say('limit'),
    error: say('Execution limit exceeded: cost'),
    output: null,
    partialOutput: say('The flag is read; the tests are missing.'),
    usage,
    limits,
  }
  return written as NonNullable<Answer<'GET /api/scopes/:id'>['task']>
}

function historyOf(now: number, say: Words): readonly Entry[] {
  const start = now - 4 * MINUTE
  let seq = 0
  const entry = (event: Entry['event'], afterMs: number, more: Record<string, unknown> = {}): Entry => {
    const written: unknown = {
      event,
      ts: new Date(start + afterMs).toISOString(),
      seq: ++seq,
      run_id: 'dev',
      task_id: null,
      agent_name: say('developer'),
      agent_type: say('developer'),
      scope: 'dev',
      scope_path: say('team:core/developer'),
      ...more,
    }
    return written as Entry
  }
  const call = (
    kind: 'model' | 'tool',
    name: string,
    fromMs: number,
    forMs: number,
    cost: number,
    about: Partial<NonNullable<Reservation['about']>> = {},
  ): Entry =>
    entry('call_settled', fromMs + forMs, {
      call: kind,
      call_name: say(name),
      reservation: `c${seq}`,
      duration_ms: forMs,
      refused: false,
      charged: { cost: cost * USD },
      overrun: {},
      record: {
        id: `c${seq}`,
        scopeId: 'dev',
        scopePath: say('team:core/developer'),
        scopeIds: ['core', 'dev'],
        holder: 'x',
        state: 'settled',
        reserved: { costNanoUsd: cost * 2 * USD },
        charged: kind === 'model' ? { costNanoUsd: cost * USD, tokens: 21_000, modelCalls: 1 } : { toolCalls: 1 },
        atMs: start + fromMs,
        units: 4096,
        about: {
          call: kind,
          name: say(name),
          ...(about.hint === undefined ? about : { ...about, hint: say(about.hint) }),
        },
        result: { ending: 'answered', usage: { inputTokens: 20_000, outputTokens: about.outputTokens ? 4096 : 900 } },
        endedAtMs: start + fromMs + forMs,
      },
    })
  const limit = {
    limit_kind: 'cost',
    limit_name: say('cost'),
    limit: 1.5 * USD,
    used: 1.2 * USD,
    reserved: 0,
    requested: 0.2 * USD,
    remaining: 0.3 * USD,
    ratio: 0.8,
    exceeded_by: 0,
    action: 'terminate',
    source: say('the flag --limit cost=1.50'),
    threshold: 0.8,
  }
  return [
    entry('scope_opened', 0, { kind: 'agent', parent_scope: 'core', limits: [] }),
    call('model', 'claude-sonnet-4-5', 40, 9_200, 0.064),
    call('tool', 'read', 9_300, 120, 0),
    call('tool', 'grep', 9_310, 480, 0),
    call('model', 'claude-sonnet-4-5', 9_900, 14_800, 0.082),
    call('model', 'claude-sonnet-4-5', 41_000, 22_000, 0.121, { waitedMs: 16_000, outputTokens: 32_000 }),
    call('tool', 'bash', 63_400, 31_000, 0),
    entry('limit_nearing', 95_000, limit),
    entry('agent_paused', 100_000, { reason: say('lunch'), resume_url: null }),
    entry('agent_resumed', 150_000, { by: say('ann'), paused_ms: 50_000 }),
    call('model', 'claude-opus-4-5', 151_000, 40_000, 0.31, {
      hint: '[budget: $0.18 of $1.50 left — wrap up soon]',
    }),
    entry('limit_exceeded', 195_000, limit),
    call('model', 'claude-sonnet-4-5', 196_000, 8_000, 0.05, { isClosing: true }),
    entry('scope_closed', 205_000, { status: 'limit-reached' }),
  ]
}
