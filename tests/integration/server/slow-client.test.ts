import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createTestServer, type TestServer } from './api-server.fixture.ts'

const SCOPES = 50
// Each change of a scope is sent with its labels: half a megabyte for all of them.
const LABEL = 'long '.repeat(2_000)
// A frame has at most one megabyte; a little of the answer's head may lie before it.
const MOST_BUFFERED = 1_100_000
const BOUNDS = { streams: 9, streamsOfCaller: 1, tickMs: 5, pingMs: 60_000, recheckMs: 60_000 }

/** A server with scopes whose rows are long, and the answers that its streams get. */
async function startWithLongRows(blockedMs: number) {
  const responses: ServerResponse[] = []
  const onRequest = (message: unknown): void => {
    const { request: asked, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (asked.url?.startsWith('/api/stream') === true) responses.push(response)
  }
  subscribe('http.server.request.start', onRequest)
  onTestFinished(() => void unsubscribe('http.server.request.start', onRequest))
  const server = await createTestServer({ streams: { ...BOUNDS, blockedMs } })
  for (let place = 0; place < SCOPES; place++) await server.open({ id: `run ${place}`, labels: { agentType: LABEL } })
  return { server, responses }
}

async function spendEverywhere({ store, nowMs: atMs }: TestServer, round: number) {
  await Promise.all(
    Array.from({ length: SCOPES }, async (_, place) => {
      const reservationId = `${round} ${place}`
      const amounts = { toolCalls: 1 }
      await store.reserve({ reservationId, scopeId: `run ${place}`, amounts, holder: 'holder', atMs })
      await store.settle({ reservationId, actual: amounts, atMs })
    }),
  )
}

/** Asks for the stream and reads nothing of the answer until it is told to. */
function openUnread(server: TestServer, key: string) {
  const socket = connect(server.port, '127.0.0.1')
  const host = `127.0.0.1:${server.port}`
  socket.write(`GET /api/stream HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n\r\n`)
  const state = { text: '', hasEnded: false }
  socket.on('error', () => {})
  socket.on('close', () => {
    state.hasEnded = true
  })
  onTestFinished(() => void socket.destroy())
  const read = () =>
    socket.on('data', (piece) => {
      state.text += piece.toString('latin1')
    })
  return { state, read }
}

/** A client that reads on: its status, and how far the last scope has come. */
function follow(server: TestServer, key: string) {
  const state = { status: 0, rest: '', settled: 0, hasEnded: false }
  const headers = { authorization: `Bearer ${key}` }
  const asked = request({ host: '127.0.0.1', port: server.port, path: '/api/stream', headers })
  asked.on('response', (response) => {
    state.status = response.statusCode ?? 0
    response.setEncoding('utf8').on('data', (piece: string) => {
      const blocks = (state.rest + piece).split('\n\n')
      state.rest = blocks.pop() ?? ''
      for (const block of blocks) state.settled = settledIn(block) ?? state.settled
    })
    response.on('close', () => {
      state.hasEnded = true
    })
  })
  asked.on('error', () => {})
  asked.end()
  onTestFinished(() => void asked.destroy())
  return state
}

function settledIn(block: string): number | null {
  const data = /^data: (\{"scopes".*)$/m.exec(block)?.[1]
  if (data === undefined) return null
  const { scopes } = JSON.parse(data) as { scopes: { id: string; usage: { toolCalls?: { settled: number } } }[] }
  return scopes.find(({ id }) => id === `run ${SCOPES - 1}`)?.usage.toolCalls?.settled ?? null
}

it('buffers at most one frame for a client that never reads, disconnects it, and serves the others meanwhile', async () => {
  const { server, responses } = await startWithLongRows(2_000)
  const slowKey = await server.key('viewer')
  openUnread(server, slowKey)
  await expect.poll(() => responses[0]?.headersSent).toBe(true)
  const quick = follow(server, await server.key('viewer'))
  await expect.poll(() => quick.status).toBe(200)
  const slow = responses[0]!
  // It has one stream, so another is refused as long as that one counts.
  const refused = follow(server, slowKey)
  await expect.poll(() => refused.status).toBe(503)
  let most = 0
  for (let round = 0, blocked = 0; round < 200 && blocked < 10; round++) {
    await spendEverywhere(server, round)
    // What was spent is with the quick client before more is.
    await expect.poll(() => quick.settled, { interval: 5 }).toBe(round + 1)
    most = Math.max(most, slow.writableLength)
    if (slow.writableNeedDrain || slow.destroyed) blocked++
  }
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(MOST_BUFFERED)
  await expect.poll(() => slow.destroyed).toBe(true)
  const again = follow(server, slowKey)
  await expect.poll(() => again.status).toBe(200)
  expect(quick.hasEnded).toBe(false)
})

it('sends only the latest state to a client that stopped reading for a while', async () => {
  const { server, responses } = await startWithLongRows(600_000)
  const slow = openUnread(server, await server.key('viewer'))
  await expect.poll(() => responses[0]?.headersSent).toBe(true)
  let round = 0
  for (; round < 200 && responses[0]?.writableNeedDrain !== true; round++) await spendEverywhere(server, round)
  expect(responses[0]?.writableNeedDrain).toBe(true)
  for (const end = round + 20; round < end; round++) await spendEverywhere(server, round)
  expect(responses[0]!.writableLength).toBeLessThan(MOST_BUFFERED)
  slow.read()
  const settled = () =>
    slow.state.text
      .split('\n\n')
      .slice(0, -1)
      .findLast((block) => settledIn(block) !== null) ?? ''
  await expect.poll(() => settledIn(settled())).toBe(round)
  expect(slow.state.hasEnded).toBe(false)
})
