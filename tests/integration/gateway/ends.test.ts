import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSqliteStore, verifyLedger } from '../../../src/stores/sqlite/index.ts'
import { createGate, type ProviderTurn } from '../../../src/testing/provider/index.ts'
import { WIRES, type Wire } from './agents.ts'
import { KEY, type Stage, startStage } from './stage.ts'

const PATHS: Readonly<Record<Wire, string>> = {
  'anthropic-messages': 'anthropic/v1/messages',
  'openai-chat': 'openai/v1/chat/completions',
  'openai-responses': 'openai/v1/responses',
}
const HEADERS = { authorization: 'Bearer x', 'anthropic-version': '2023-06-01' }

function bodyFor(wire: Wire, stream: boolean): string {
  const messages = [{ role: 'user', content: 'hi' }]
  if (wire === 'openai-responses')
    return JSON.stringify({ model: 'gpt-4.1', input: 'hi', max_output_tokens: 500, stream })
  if (wire === 'openai-chat') return JSON.stringify({ model: 'gpt-4.1', max_completion_tokens: 500, messages, stream })
  return JSON.stringify({ model: 'claude-haiku-5-5', max_tokens: 500, messages, stream })
}

function send(stage: Stage, wire: Wire, stream: boolean, signal?: AbortSignal): Promise<Response> {
  const init = {
    method: 'POST',
    headers: HEADERS,
    body: bodyFor(wire, stream),
    ...(signal === undefined ? {} : { signal }),
  }
  return fetch(`${stage.gateway.url}/k/${KEY}/${PATHS[wire]}`, init)
}

/** The ledger after everything has ended: nothing is open, and every charge is in it. */
async function expectClosedBooks(stage: Stage): Promise<void> {
  await stage.settle()
  expect(await stage.store.reservations({ state: 'open', most: 10 })).toEqual([])
  const { cost } = await stage.run.usage()
  expect(cost.reserved).toBe(0)
  expect(cost.settled).toBeGreaterThanOrEqual(stage.provider.book().costNanoUsd)
}

const FAULTS: readonly ProviderTurn[] = [
  { text: 'x', usage: 'missing' },
  { text: 'x', usage: 'negative' },
  { text: 'x', usage: { raw: 'many' } },
  { text: 'x', usage: { raw: { prompt_tokens: 1e300 } } },
  { text: 'word '.repeat(50), fault: { kind: 'cut', afterPieces: 1 } },
  { text: 'word '.repeat(50), fault: { kind: 'cut' } },
  { text: 'word '.repeat(50), fault: { kind: 'error-event', afterPieces: 1 } },
  { text: 'word '.repeat(50), fault: { kind: 'error-event' } },
  { fault: { kind: 'no-answer' } },
  { fault: { kind: 'status', status: 400 } },
  { fault: { kind: 'status', status: 529 } },
]

const CALLS = ['call_settled', 'reservation_assumed'] as const

describe('every path ends in one terminal state', () => {
  it.each(WIRES)('whatever the provider does: %s', async (wire) => {
    for (const turn of FAULTS) {
      for (const stream of [true, false]) {
        const stage = await startStage({ limits: { cost: 1, toolCalls: 5 }, script: () => turn })
        await send(stage, wire, stream)
          .then((answer) => answer.text())
          .catch(() => '')
        await expectClosedBooks(stage)
        const { settled, refused } = (await stage.run.usage()).modelCalls
        expect(settled + refused).toBe(1)
      }
    }
  })

  it.each(WIRES)('if a client disconnects before, while and after it is served: %s', async (wire) => {
    for (const stream of [true, false]) {
      const startGate = createGate()
      const stage = await startStage({
        limits: { cost: 1 },
        bounds: { drainMs: 100 },
        script: () => ({ text: 'word '.repeat(50), startGate }),
      })
      const away = new AbortController()
      const gone = Promise.all(
        Array.from({ length: 5 }, () => send(stage, wire, stream, away.signal).catch(() => null)),
      )
      await stage.provider.until(({ inFlight }) => inFlight === 5)
      away.abort()
      await gone
      await stage.provider.until(({ inFlight }) => inFlight === 0)
      await expectClosedBooks(stage)
    }
  })

  it('a request that its client repeats is another attempt, until it is answered', async () => {
    const turns: ProviderTurn[] = [{ fault: { kind: 'status', status: 529 } }, { fault: { kind: 'cut' }, text: 'x' }]
    const stage = await startStage({ script: () => turns.shift() ?? { text: 'x' } })
    for (let time = 0; time < 4; time++) await send(stage, 'anthropic-messages', false).catch(() => null)
    await stage.settle()
    const page = await stage.store.history({ scopeId: stage.run.id, kinds: CALLS, atMs: Date.now() })
    const attempts = page.kind === 'page' ? page.entries.map(({ call }) => call?.about?.attempt) : []
    expect(attempts).toEqual([undefined, 2, 3, undefined])
  })

  it('a client that disconnects while it waits for room takes none', async () => {
    const startGate = createGate()
    const stage = await startStage({
      limits: { modelCalls: 2, outputTokens: 600 },
      script: () => ({ text: 'x', startGate }),
    })
    const first = send(stage, 'anthropic-messages', false)
    await stage.provider.until(({ inFlight }) => inFlight === 1)
    const away = new AbortController()
    const waiting = send(stage, 'anthropic-messages', false, away.signal).catch(() => null)
    const others = () => fetch(`${stage.gateway.url}/k/${KEY}/openai/v1/models`, { headers: HEADERS })
    for (let ask = 0; ask < 3; ask++) await others()
    away.abort()
    await waiting
    // Behind these, the gateway has heard of it.
    for (let ask = 0; ask < 3; ask++) await others()
    startGate.open()
    expect((await first).status).toBe(200)
    await expectClosedBooks(stage)
    expect(stage.provider.book().outcomes.answered).toBe(1)
    expect((await stage.run.usage()).modelCalls.settled).toBe(1)
  })

  it('a client that disconnects in the middle of its body costs nothing', async () => {
    const stage = await startStage({ limits: { cost: 1 } })
    const { port } = stage.gateway
    await new Promise<void>((resolve) => {
      const upload = httpRequest({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `/k/${KEY}/anthropic/v1/messages`,
        headers: { ...HEADERS, 'content-length': '100000' },
      })
      upload.on('error', () => resolve())
      upload.write('{"model":', () => upload.destroy(new Error('gone')))
    })
    await expectClosedBooks(stage)
    expect((await stage.run.usage()).modelCalls.settled).toBe(0)
  })

  it('a request that cannot be sent costs nothing', async () => {
    const stage = await startStage({
      limits: { cost: 1 },
      upstream: { apiKey: 'key\nwith a line', keyHeader: 'x-api-key' },
    })
    const answer = await send(stage, 'anthropic-messages', false)
    expect(answer.status).toBe(503)
    await expectClosedBooks(stage)
    expect((await stage.run.usage()).cost.settled).toBe(0)
  })

  it('a gateway that is stopped in the middle of everything leaves a sound ledger', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stint-ends-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'ledger.db')
    const startGate = createGate()
    const store = await createSqliteStore({ file })
    const stage = await startStage({ limits: { cost: 1 }, script: () => ({ text: 'x', startGate }), store })
    const all = WIRES.flatMap((wire) => [true, false].map((stream) => send(stage, wire, stream).catch(() => null)))
    await stage.provider.until(({ inFlight }) => inFlight === 6)
    await stage.gateway.close(0)
    await Promise.all(all)
    await expectClosedBooks(stage)
    expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 6, reserved: 0 })
    await stage.run.close()
    expect(verifyLedger(file)).toMatchObject({ ok: true, problems: [] })
  })
})

describe('a conversation that the provider stores', () => {
  it('is known from the answer that it continues: a small budget is enough for it', async () => {
    const stage = await startStage({ limits: { cost: 0.05 } })
    const client = stage.openai()
    let previous: string | undefined
    for (let round = 0; round < 4; round++) {
      const held = previous === undefined ? {} : { previous_response_id: previous }
      const answer = await client.responses.create({ model: 'gpt-4.1', input: 'on', max_output_tokens: 100, ...held })
      previous = answer.id
    }
    await expectClosedBooks(stage)
    expect((await stage.run.usage()).cost.settled).toBe(stage.provider.book().costNanoUsd)
  })
})
