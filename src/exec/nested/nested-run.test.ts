import { request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Limit } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import { createGovernor } from '../../governor/index.ts'
import { type LimitsInput, resolveLimits } from '../../policy/index.ts'
import { createRuns } from '../runs/create-runs.ts'
import { askServer } from './ask-server.ts'
import { findEnclosingRun } from './enclosing-run.ts'
import { openNestedRun } from './nested-run.ts'
import { startNestedRunServer } from './nested-run-server.ts'
import { readToken } from './scope-token.ts'

const GATEWAY = 'http://127.0.0.1:4000'

async function openOuter(limits: LimitsInput = {}) {
  const governor = createGovernor()
  const runs = createRuns(governor)
  const server = await startNestedRunServer({
    runs,
    ledger: 'memory:',
    gatewayUrl: GATEWAY,
    prices: new Map(),
    providers: [],
  })
  onTestFinished(async () => {
    await server.close()
    await governor.close()
  })
  const scope = await governor.open({ name: 'outer', limits })
  const run = runs.add(scope)
  return { governor, runs, server, scope, run, token: server.tokenFor(scope.id) }
}

const limitsOf = (limits: LimitsInput): readonly Limit[] =>
  resolveLimits([{ layer: 'call', flag: '--limit', limits }]).limits
const spec = (limits: LimitsInput = {}) => ({ name: 'inner', limits: limitsOf(limits), wrapUp: true })

describe('a run inside another', () => {
  it('is a child scope in the same ledger, with its own key on the existing gateway', async () => {
    const { runs, scope, run, token } = await openOuter({ toolCalls: 10 })
    const nested = await openNestedRun(token, spec({ toolCalls: 3 }))
    expect(nested).toMatchObject({ path: 'outer/inner', gatewayUrl: GATEWAY })
    expect(nested.key).not.toBe(run.key)
    const inner = (await runs.scopeOf(nested.key))!
    expect(inner.id).toBe(nested.id)
    const reservation = await inner.reserve({ toolCalls: 2 })
    if (reservation.kind === 'granted') await reservation.settle()
    expect((await nested.usage()).toolCalls).toMatchObject({ limit: 3, settled: 2 })
    expect((await scope.usage()).toolCalls).toMatchObject({ limit: 10, settled: 2 })
  })

  it('knows where its limits were written', async () => {
    const { runs, token } = await openOuter()
    const nested = await openNestedRun(token, spec({ toolCalls: 1 }))
    const scope = (await runs.scopeOf(nested.key))!
    expect(scope.limits()).toMatchObject([
      { meter: 'toolCalls', max: 1, source: { flag: expect.stringContaining('--limit') } },
    ])
  })

  it('ends separately: its limit does not affect the enclosing run', async () => {
    const { runs, run, token } = await openOuter()
    const nested = await openNestedRun(token, spec({ toolCalls: 1 }))
    const scope = (await runs.scopeOf(nested.key))!
    await scope.callTool({ name: 'a' }, () => 1)
    await scope.callTool({ name: 'b' }, () => 2)
    expect(await nested.look()).toMatchObject({
      isHalted: true,
      breaches: [{ meter: 'toolCalls', scopePath: 'outer/inner' }],
    })
    expect(run.state()).toMatchObject({ isHalted: false, breaches: null })
    await nested.close('limit-reached')
    expect(await runs.scopeOf(nested.key)).toBeNull()
    expect(scope.status()).toBe('limit-reached')
  })

  it('counts its calls on the enclosing run, too', async () => {
    const { runs, run, token } = await openOuter()
    const nested = await openNestedRun(token, spec())
    const call = { dialect: 'openai-chat', model: 'm', isClosing: false, sessionId: null, text: 'hello' } as const
    runs.onCall({ ...call, hasTools: true, cutBy: null, scopeId: nested.id, runId: nested.id, clampedTo: 9 })
    runs.onRequest({ runId: nested.id, end: 'answered' })
    expect(await nested.look()).toMatchObject({ calls: 1, clamps: 1, lastText: 'hello' })
    expect(run.state()).toMatchObject({ calls: 1, clamps: 1, lastText: '' })
  })

  it('gets a key on the gateway even if another process owns it, if it is below the run of the token', async () => {
    const { governor, runs, scope, token } = await openOuter()
    const around = await findEnclosingRun(token)
    expect(around).toMatchObject({ scopeId: scope.id, ledger: 'memory:', gatewayUrl: GATEWAY })
    const inner = await scope.open({ name: 'inner' })
    const entered = await around.enter(inner.id)
    expect((await runs.scopeOf(entered.key))?.id).toBe(inner.id)
    expect(runs.closesItself?.(inner)).toBe(true)
    expect((await openNestedRun(entered.token, spec())).path).toBe('outer/inner/inner')
    const other = await governor.open({ name: 'other' })
    for (const id of [other.id, scope.id, 'nothing']) await expect(around.enter(id)).rejects.toThrow('no such run')
    await entered.leave()
    expect(await runs.scopeOf(entered.key)).toBeNull()
  })

  it('may contain another', async () => {
    const { runs, token } = await openOuter()
    const nested = await openNestedRun(token, spec())
    const innermost = await openNestedRun(nested.token, { ...spec(), name: 'innermost' })
    expect(innermost.path).toBe('outer/inner/innermost')
    expect(await runs.scopeOf(innermost.key)).not.toBeNull()
  })

  it('closes alone, without enclosing or sibling runs', async () => {
    const { runs, run, token } = await openOuter()
    const nested = await openNestedRun(token, spec({ toolCalls: 1 }))
    const beside = await openNestedRun(token, spec())
    const scope = (await runs.scopeOf(nested.key))!
    edgeOf(scope).expectWrapUp()
    await scope.callTool({ name: 'a' }, () => 1)
    await scope.callTool({ name: 'b' }, () => 2)
    await scope.callWrapUp({ model: 'gpt-4.1-mini', inputTokens: 1, maxOutputTokens: 1 }, async () => ({
      value: 'done',
      usage: null,
    }))
    await expect.poll(async () => (await nested.look()).closing).toBe('underway')
    expect([run.state().closing, (await beside.look()).closing]).toEqual(['none', 'none'])
  })

  it('is not ended by its own command, and neither is the enclosing one', async () => {
    const { run, scope, token } = await openOuter()
    const nested = await openNestedRun(token, spec())
    for (const each of [token, nested.token]) {
      const closed = await askServer(readToken(each).serverUrl, each, {
        method: 'POST',
        path: '/close',
        body: { status: 'completed' },
      })
      expect(closed.status).toBe(403)
    }
    expect([run.state().status, scope.status(), (await nested.look()).status]).toEqual([
      'running',
      'running',
      'running',
    ])
  })

  it('is one of a limited number', async () => {
    const { token } = await openOuter()
    const open = () => openNestedRun(token, spec())
    for (let opened = 0; opened < 999; opened += 37) await Promise.all(Array.from({ length: 37 }, open))
    await expect(open()).rejects.toMatchObject({ code: 'too_many_scopes' })
  })

  it('is refused by the limits of the enclosing run, with its message', async () => {
    const { token } = await openOuter({ depth: 0 })
    await expect(openNestedRun(token, spec())).rejects.toMatchObject({
      code: 'limit_exceeded',
      message: expect.stringMatching(/depth/),
    })
  })

  it('is refused with invalid limits', async () => {
    const { token } = await openOuter()
    const broken = [{ ...limitsOf({ toolCalls: 1 })[0]!, max: -1 }] as readonly Limit[]
    await expect(openNestedRun(token, { ...spec(), limits: broken })).rejects.toMatchObject({ code: 'invalid_limit' })
    const nonsense = [null] as unknown as readonly Limit[]
    await expect(openNestedRun(token, { ...spec(), limits: nonsense })).rejects.toMatchObject({ code: 'invalid_limit' })
  })
})

describe('a token without authority', () => {
  it('is a clear error if it was forged', async () => {
    const { token, runs } = await openOuter()
    const [version, , signature] = token.split('.')
    const payload = Buffer.from(JSON.stringify({ ...readToken(token), scopeId: 'team:rich' })).toString('base64url')
    const refused = openNestedRun(`${version}.${payload}.${signature}`, spec())
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_scope_token',
      message: expect.stringMatching(/did not issue it/),
    })
    expect(runs.find('team:rich')).toBeNull()
  })

  it('is a clear error if its run, or the process that issued it, has ended', async () => {
    const { token, run, server } = await openOuter()
    run.forget()
    await expect(openNestedRun(token, spec())).rejects.toMatchObject({
      message: expect.stringMatching(/the run that it names has ended/),
    })
    await server.close()
    await expect(openNestedRun(token, spec())).rejects.toMatchObject({
      message: expect.stringMatching(/does not answer/),
    })
  })

  it('is not accepted from a page in a browser, or under another host name', async () => {
    const { token } = await openOuter()
    const ask = (headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const authorization = `Bearer ${token}`
        const asked = request(
          `${readToken(token).serverUrl}/run`,
          { headers: { authorization, ...headers } },
          (answer) => {
            answer.resume()
            resolve(answer.statusCode ?? 0)
          },
        )
        asked.once('error', reject).end()
      })
    expect(await ask({})).toBe(200)
    expect(await ask({ origin: 'http://evil.example' })).toBe(401)
    expect(await ask({ host: 'evil.example' })).toBe(401)
    expect(await ask({ authorization: 'Bearer x' })).toBe(401)
  })
})
