import { describe, expect, it } from 'vitest'
import { createGovernorFixture } from '../fixtures/governor.fixture.ts'
import { answerFrom, modelCall, TEST_PRICES, writesAll } from '../fixtures/model.fixture.ts'

const create = (options = {}) => createGovernorFixture({ prices: TEST_PRICES, ...options })

// As the official clients throw it: with the response headers.
const refusal = (status: number, more: object = {}) =>
  Object.assign(new Error('Overloaded'), { status, headers: new Headers(), ...more })
const refused =
  (status = 529, more: object = {}) =>
  () =>
    Promise.reject(refusal(status, more))

const OWN_WORDS = {
  headers: { 'request-id': 'req_1' },
  error: { type: 'error', error: { type: 'api_error', message: 'Internal server error' } },
}

describe('a call that the provider refused', () => {
  it('A11: is neither charged nor a model call, and is counted separately', async () => {
    const { governor, emitted } = create()
    const run = await governor.open({ name: 'run', limits: { modelCalls: 2, tokens: 1_000, cost: 1 } })
    const agent = await run.open({ name: 'agent' })
    const searching = modelCall(100, 50, { webSearches: 3, phase: 'planning', toolCalls: 1 })
    await expect(agent.callModel(searching, refused())).rejects.toThrow('Overloaded')
    expect(await emitted('call_settled')).toMatchObject([{ call: 'model', charged: {}, overrun: {}, refused: true }])
    for (const scope of [run, agent]) {
      const { modelCalls, tokens, cost, planningCost, toolCalls } = await scope.usage()
      expect(modelCalls).toMatchObject({ settled: 0, reserved: 0, refused: 1 })
      for (const meter of [tokens, cost, planningCost, toolCalls]) {
        expect(meter).toMatchObject({ settled: 0, reserved: 0, refused: 0, assumed: 0 })
      }
    }
  })

  it('A11: N means N paid calls, however many refusals there are', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { modelCalls: 3 } })
    let answered = 0
    for (let call = 0; call < 3; call++) {
      for (let retry = 0; retry < 5; retry++) {
        await expect(run.callModel(modelCall(100, 50), refused())).rejects.toThrow('Overloaded')
      }
      if (answerFrom(await run.callModel(modelCall(100, 50), writesAll(100))) !== null) answered++
    }
    expect(answered).toBe(3)
    expect((await run.usage()).modelCalls).toMatchObject({ settled: 3, refused: 15, remaining: 0 })
    expect(await run.callModel(modelCall(100, 50), writesAll(100))).toMatchObject({ breach: { meter: 'modelCalls' } })
  })

  it.each([
    ...[400, 401, 403, 404, 413, 429, 503, 529].map((status) => [status, {}] as const),
    [500, OWN_WORDS],
    [
      502,
      {
        statusCode: 502,
        responseHeaders: { 'x-request-id': 'r' },
        responseBody: '{"error":{"type":"server_error","message":"no"}}',
      },
    ],
    [500, { requestID: 'req_1', error: { type: 'server_error', message: 'no', code: null } }],
  ] as const)('has status %d and %o', async (status, more) => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    await expect(run.callModel(modelCall(100, 50), refused(status, more))).rejects.toThrow('Overloaded')
    expect((await run.usage()).modelCalls).toMatchObject({ settled: 0, refused: 1 })
  })

  it.each([
    ...[408, 500, 502, 504, 520, 524].map((status) => [status, {}] as const),
    [500, { headers: { 'request-id': 'req_1' }, body: '<html>Bad gateway</html>' }],
    [502, { error: OWN_WORDS.error }],
    [504, OWN_WORDS],
  ] as const)('does not have status %d and %o: that does not say what was generated', async (status, more) => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    await expect(run.callModel(modelCall(100, 50), refused(status, more))).rejects.toThrow('Overloaded')
    expect(await run.usage()).toMatchObject({
      modelCalls: { settled: 1, assumed: 1, refused: 0 },
      tokens: { settled: 150, assumed: 150 },
    })
  })

  it('ends its run as failed after twenty in a row, with the provider’s message', async () => {
    const { governor, emitted } = create()
    const team = await governor.budget('team:core')
    const run = await governor.open({ name: 'run', within: team })
    for (let call = 0; call < 19; call++) await run.callModel(modelCall(100, 50), refused()).catch(() => {})
    await run.callModel(modelCall(100, 50), writesAll(100))
    for (let call = 0; call < 19; call++) await run.callModel(modelCall(100, 50), refused()).catch(() => {})
    expect(run.status()).toBe('running')
    await expect(run.callModel(modelCall(100, 50), refused(400))).rejects.toThrow('Overloaded')
    expect([run.status(), team.status()]).toEqual(['failed', 'running'])
    expect(await emitted('agent_failed')).toMatchObject([
      { status: 'failed', error: 'The provider refused 20 calls in a row: Overloaded' },
    ])
    await expect(run.callModel(modelCall(100, 50), writesAll(100))).rejects.toMatchObject({ code: 'scope_closed' })
  })

  it('never ends a shared scope, however often it happens', async () => {
    const { governor } = create({ mostRefusals: 2 })
    const team = await governor.budget('team:core')
    for (let call = 0; call < 5; call++) await team.callModel(modelCall(100, 50), refused()).catch(() => {})
    expect(answerFrom(await team.callModel(modelCall(100, 50), writesAll(100)))).not.toBe(null)
    expect((await team.usage()).modelCalls).toMatchObject({ settled: 1, refused: 5 })
    expect(() => create({ mostRefusals: 0 })).toThrow('mostRefusals')
  })
})

describe('an error that only looks like the provider’s', () => {
  const GOOGLE = JSON.stringify({ error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } })

  it.each([
    ['the AI SDK', { statusCode: 429, url: 'https://api.example.com', requestBodyValues: {} }],
    ['an official client', { status: 404, headers: new Headers(), requestID: null }],
    ['one that gives the id of the request', { status: 400, request_id: 'req_1' }],
    ['one that has read the words of the provider', { status: 400, error: { message: 'no', type: 'bad_request' } }],
    ['one that has them as its message', { status: 429, message: GOOGLE }],
    ['one that wraps another', { statusCode: 429, cause: { statusCode: 429, responseHeaders: {} } }],
  ])('is told apart from that of %s, which costs nothing', async (_, thrown) => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    await run
      .callModel(modelCall(100, 50), () => Promise.reject(Object.assign(new Error('no'), thrown)))
      .catch(() => {})
    expect(await run.usage()).toMatchObject({ modelCalls: { settled: 0, refused: 1 }, tokens: { settled: 0 } })
  })

  it.each([
    ['a status of an own API', { status: 404 }],
    ['a status beside its own words', { statusCode: 403, body: 'Forbidden', expose: true }],
    ['a status whose own cause was not reached', { status: 503, cause: { code: 'ECONNREFUSED', syscall: 'connect' } }],
    ['a host that is gone while its answer is read', { code: 'EHOSTUNREACH', syscall: 'read' }],
    ['a network that is down while its answer is read', { code: 'ENETDOWN', syscall: 'read' }],
    ['a network that is gone while it is written to', { code: 'ENETUNREACH', syscall: 'write' }],
    ['a network that is gone, nobody knows when', { code: 'ENETUNREACH' }],
    ['a file that cannot be opened', { code: 'EMFILE', syscall: 'open' }],
    ['too many open files, nobody knows which', { code: 'ENFILE' }],
    ['a file that is not a name of a host', { code: 'ENOTFOUND', syscall: 'open' }],
    [
      'one of several that was sent',
      {
        code: 'ECONNREFUSED',
        errors: [
          { code: 'ECONNREFUSED', syscall: 'connect' },
          { code: 'ECONNRESET', syscall: 'read' },
        ],
      },
    ],
  ])('is charged at its worst case: %s', async (_, thrown) => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    await run
      .callModel(modelCall(100, 50), () => Promise.reject(Object.assign(new Error('no'), thrown)))
      .catch(() => {})
    expect(await run.usage()).toMatchObject({
      modelCalls: { settled: 1, assumed: 1, refused: 0 },
      tokens: { settled: 150, assumed: 150 },
    })
  })

  it('is charged once the answer has begun, whatever it looks like', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    const database = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })
    const saving = run.callModel(modelCall(100, 50), async ({ report }) => {
      report({ usage: { inputTokens: 100, outputTokens: 7 } })
      throw database
    })
    await expect(saving).rejects.toBe(database)
    expect(await run.usage()).toMatchObject({ modelCalls: { settled: 1 }, tokens: { settled: 107, assumed: 0 } })
  })
})

describe('a call that was not sent', () => {
  it.each([
    new TypeError('fetch failed', { cause: new Error('bad port') }),
    Object.assign(new Error('Cannot connect to API: bad port'), { cause: new Error('bad port'), isRetryable: true }),
    new TypeError('fetch failed', {
      cause: Object.assign(new Error('connect'), { code: 'ETIMEDOUT', syscall: 'connect' }),
    }),
    new TypeError('fetch failed', {
      cause: Object.assign(
        new AggregateError([Object.assign(new Error(), { code: 'ETIMEDOUT', syscall: 'connect' })]),
        {
          code: 'ETIMEDOUT',
        },
      ),
    }),
    ...['EHOSTUNREACH', 'ENETDOWN', 'EMFILE'].map((code) =>
      Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' }),
    ),
    Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'queryA' }),
    Object.assign(new Error('getaddrinfo'), { code: 'EAI_FAIL', syscall: 'getaddrinfo' }),
    new TypeError('Invalid URL', { cause: Object.assign(new Error(), { code: 'ERR_INVALID_URL' }) }),
  ])('is released in full, and is neither a model call nor a refusal (%s)', async (error) => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { modelCalls: 1 } })
    await expect(run.callModel(modelCall(100, 50), () => Promise.reject(error))).rejects.toThrow()
    const { modelCalls, tokens } = await run.usage()
    expect([modelCalls.settled, modelCalls.reserved, modelCalls.refused, tokens.settled]).toEqual([0, 0, 0, 0])
    expect(answerFrom(await run.callModel(modelCall(100, 50), writesAll(100)))).not.toBe(null)
  })

  it('includes one that fetch itself refuses to send', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    for (const url of ['http://127.0.0.1:1/v1', 'gopher://127.0.0.1/']) {
      const sent = run.callModel(modelCall(100, 50), async () => ({ value: await fetch(url), usage: null }))
      await expect(sent).rejects.toThrow('fetch failed')
    }
    expect((await run.usage()).tokens.settled).toBe(0)
  })
})
