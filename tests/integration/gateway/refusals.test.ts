import { describe, expect, it } from 'vitest'
import { parseLimits } from '../../../src/policy/index.ts'
import { sayOnce } from '../../../src/testing/provider/index.ts'
import { KEY, type Stage, startStage } from './stage.ts'

const BODY = { model: 'claude-sonnet-4-5', max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }
const ASIDES = [
  { method: 'POST', path: 'anthropic/v1/messages/count_tokens', type: 'billing_error' },
  { method: 'POST', path: 'openai/v1/responses/input_tokens', type: 'insufficient_quota' },
  { method: 'GET', path: 'anthropic/v1/models', type: 'billing_error' },
  { method: 'GET', path: 'openai/v1/models', type: 'insufficient_quota' },
]

interface Refusal {
  readonly status: number
  readonly message: string
  readonly body: { readonly error: { readonly type: string; readonly message: string } }
}

const RAISE = 'To allow more, ask the operator of this gateway (stint budget raise team:a --limit requests=…).'

async function send(stage: Stage, path: string, body: object | null, more: object = {}): Promise<Refusal> {
  const init = body === null ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) }
  const headers = { authorization: 'Bearer made-up', 'x-api-key': 'made-up', 'anthropic-version': '2023-06-01' }
  const json = { ...headers, ...more, 'content-type': 'application/json' }
  const answer = await fetch(`${stage.gateway.url}/k/${KEY}/${path}`, { ...init, headers: json })
  const said = (await answer.json()) as Refusal['body']
  return { status: answer.status, message: said.error?.message ?? '', body: said }
}

// A count has no cap.
const COUNTED: Readonly<Record<string, object>> = {
  'anthropic/v1/messages/count_tokens': { model: BODY.model, messages: BODY.messages },
  'openai/v1/responses/input_tokens': { model: 'gpt-4.1', input: 'hi' },
}

const aside = (stage: Stage, { method, path }: (typeof ASIDES)[number]): Promise<Refusal> =>
  send(stage, path, method === 'POST' ? COUNTED[path]! : null)

describe('a refusal says', () => {
  it.each(ASIDES)(
    "$method $path of a run that a person has paused: in the provider's format, and how to resume it",
    async (route) => {
      const stage = await startStage({ limits: { cost: 1 } })
      await stage.run.pause()
      const { status, message, body } = await aside(stage, route)
      expect([status, body.error.type]).toEqual([402, route.type])
      expect(message).toBe(`"run" was paused by a person. To resume it: stint resume ${stage.run.id}`)
      expect([stage.provider.requestCount, stage.provider.counts]).toEqual([0, []])
      await stage.run.resume()
      expect((await aside(stage, route)).status).toBe(200)
    },
  )

  it.each(ASIDES)(
    '$method $path of a run without budget: the limit, where it was set, its state and what to do',
    async (route) => {
      const limits = parseLimits(['requests=1'], { layer: 'call', flag: '--limit' })
      const stage = await startStage({ limits, script: sayOnce() })
      expect((await send(stage, 'anthropic/v1/messages', BODY)).status).toBe(200)
      const { status, message } = await aside(stage, route)
      expect(status).toBe(402)
      expect(message).toContain('The requests limit of "run" is used up: 1 of 1 used, 1 more requested')
      expect(message).toContain('Set by the flag --limit requests=1.')
      expect(message).toContain('To allow more, pass a larger value: --limit requests=…')
    },
  )

  it.each(ASIDES)('$method $path is served while a call in flight has reserved all that is left', async (route) => {
    const stage = await startStage({ limits: { tokens: 1_000 } })
    const room = await stage.run.reserve({ tokens: 1_000 })
    expect((await aside(stage, route)).status).toBe(200)
    if (room.kind === 'granted') await room.settle()
    expect((await aside(stage, route)).status).toBe(402)
  })

  it('a request after the end: which scope, how it ended and what to do', async () => {
    const stage = await startStage({ limits: { cost: 1 } })
    await stage.run.stop('enough')
    for (const path of ['anthropic/v1/messages', 'anthropic/v1/messages/count_tokens']) {
      const { status, message } = await send(stage, path, BODY)
      expect(status).toBe(402)
      expect(message).toBe('"run" has ended (stopped), so nothing more is admitted. Start a new run.')
    }
  })

  it('an unbounded field: which limits of which scopes could not be kept, and what to remove', async () => {
    const limits = parseLimits(['cost=1'], { layer: 'call', flag: '--limit' })
    const stage = await startStage({ limits })
    const body = { ...BODY, fallbacks: [{ model: 'claude-opus-5-5' }] }
    const { status, message } = await send(stage, 'anthropic/v1/messages', body)
    expect(status).toBe(400)
    expect(message).toContain('with fallbacks')
    expect(message).toContain('the cost limit of "run" (set by the flag --limit cost=1)')
    expect(message).toContain('Leave fallbacks out.')
    expect(message).toContain('--limit cost=…')
  })

  it('a shared budget: whom to ask, with the command that the operator can run', async () => {
    const at = { layer: 'call', flag: '--limit', command: 'stint budget raise team:a' } as const
    const stage: Stage = await startStage({ admission: { scopeOf: async () => team } })
    const team = await stage.governor.budget('team:a', { limits: parseLimits(['requests=1'], at) })
    expect((await send(stage, 'anthropic/v1/messages', BODY)).status).toBe(200)
    for (const path of ['anthropic/v1/messages', 'anthropic/v1/messages/count_tokens']) {
      const { status, message } = await send(stage, path, BODY)
      expect(status).toBe(402)
      expect(message).toContain('The requests limit of "team:a" is used up: 1 of 1 used, 1 more requested.')
      expect(message).toContain('Set by the flag --limit requests=1. ')
      expect(message.endsWith(RAISE)).toBe(true)
    }
    const headers = { 'x-claude-code-session-id': 'session-1' }
    const { message } = await send(stage, 'anthropic/v1/messages', BODY, headers)
    expect(message.endsWith(RAISE)).toBe(true)
  })

  it('a paused shared budget: who can resume it', async () => {
    const stage: Stage = await startStage({ admission: { scopeOf: async () => team } })
    const team = await stage.governor.budget('team:a', { limits: { requests: 1 } })
    await team.pause()
    const { status, message } = await send(stage, 'anthropic/v1/messages/count_tokens', BODY)
    expect(status).toBe(402)
    expect(message).toBe(
      '"team:a" was paused by a person. Ask the operator of this gateway to resume it (stint resume team:a).',
    )
  })
})
