// The live stream to many clients, and what it costs the gateway on the same port: npm run bench:server
import { join } from 'node:path'
import { createApiKey, hashGatewayKey } from '../src/gateway/keys/index.ts'
import { openServerScope, SERVER_SCOPE_ID } from '../src/operate/keys/server-scope.ts'
import { createSqliteStore } from '../src/stores/sqlite/index.ts'
import type { MemoryAnswer } from './gateway/answer-questions.ts'
import { chatBody } from './gateway/messages.ts'
import { withPrograms } from './gateway/stage.ts'
import type { Part } from './gateway/start-process.ts'
import { conclude, judge } from './judge.ts'
import { percentile } from './percentiles.ts'
import type { FollowersState } from './server/followers.ts'
import { steadyRequests } from './server/steady-requests.ts'
import { printTable } from './table.ts'

const CLIENTS = 200
const SCOPES = 100
const CHANGES = 15_000
const CHANGES_PER_SECOND = 1_000
const EVENTS_PER_SECOND = 50
const REQUESTS_PER_SECOND = 100
const ROUND_MS = 10_000
const ROUNDS = 5
const MOST_LOOKS = 100
const MEGABYTE = 1_048_576

console.log(
  `The server, its ${CLIENTS} clients, what spends and the provider are processes of their own, on one ledger in SQLite.`,
)

await withPrograms(async (start, folder) => {
  const file = join(folder, 'ledger.db')
  const key = await createKey(file)
  const provider = await start(new URL('./gateway/provider.ts', import.meta.url), '{}')
  const server = await start(new URL('./server/stint-server.ts', import.meta.url), String(provider.port), file)
  const spender = await start(new URL('./server/spender.ts', import.meta.url), file, String(SCOPES))
  const followers = await start(new URL('./server/followers.ts', import.meta.url), String(server.port), key)
  const verdicts = [
    ...(await fanOut(server, spender, followers, key)),
    ...(await besideTheGateway(server, spender, followers)),
  ]
  conclude(verdicts)
})

async function createKey(file: string): Promise<string> {
  const store = createSqliteStore({ file })
  const key = createApiKey()
  await openServerScope(store, Date.now())
  const hash = hashGatewayKey(key)
  await store.addKey({ keyId: 'bench', scopeId: SERVER_SCOPE_ID, hash, role: 'viewer', atMs: Date.now() })
  await store.dispose()
  return key
}

/** 1,000 changes a second to 200 clients. */
async function fanOut(server: Part, spender: Part, followers: Part, key: string): Promise<readonly boolean[]> {
  await followers.ask({ clients: CLIENTS, isReading: true })
  const ask = { changes: CHANGES, perSecond: CHANGES_PER_SECOND }
  // What is loaded once, and grows to its size, is there after the first round.
  await spender.ask(ask)
  const before = await server.ask<MemoryAnswer>({ question: 'memory' })
  const first = await followers.ask<FollowersState>({ question: 'state' })
  const { perSecond } = await spender.ask<{ readonly perSecond: number }>(ask)
  const after = await server.ask<MemoryAnswer>({ question: 'memory' })
  const { missing, state } = await settled(server, followers, key)
  const grown = (after.heapBytes - before.heapBytes) / MEGABYTE
  const seconds = CHANGES / perSecond
  const eventsPerClient = (state.events - first.events) / CLIENTS / seconds
  printTable(
    `${CHANGES.toLocaleString('en-US')} changes by another process, to ${CLIENTS} clients`,
    ['changes/s', 'events/s to a client', 'resets', 'heap before', 'heap after'],
    [
      [
        perSecond.toFixed(0),
        eventsPerClient.toFixed(1),
        String(state.resets),
        ...[before, after].map(({ heapBytes }) => `${(heapBytes / MEGABYTE).toFixed(1)} MB`),
      ],
    ],
  )
  return [
    judge({
      sentence: (figure) => `changes a second: ${figure}`,
      value: perSecond,
      unit: '',
      atLeast: 0.9 * CHANGES_PER_SECOND,
    }),
    judge({
      sentence: (figure) => `states that a client does not know at the end: ${figure}`,
      value: missing,
      unit: '',
      atMost: 0,
    }),
    judge({
      sentence: (figure) => `clients were told to load again: ${figure}`,
      value: state.resets,
      unit: '',
      atMost: 0,
    }),
    judge({
      sentence: (figure) => `a client gets ${figure}`,
      value: eventsPerClient,
      unit: ' events a second',
      atMost: 10,
    }),
    judge({ sentence: (figure) => `the heap grows by ${figure}`, value: grown, unit: ' MB', atMost: 10 }),
  ]
}

/** Waits until the clients know what the server does; returns how many states they don't know in the end. */
async function settled(
  server: Part,
  followers: Part,
  key: string,
): Promise<{ readonly missing: number; readonly state: FollowersState }> {
  for (let look = 0; ; look++) {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/tree`, { headers })
    const { scopes } = (await answer.json()) as { readonly scopes: readonly { readonly id: string }[] }
    const state = await followers.ask<FollowersState>({ question: 'state' })
    const unknown = scopes.filter((scope) => state.scopes[scope.id] !== JSON.stringify(scope)).length
    const missing = unknown + state.different
    if (missing === 0 || look === MOST_LOOKS) return { missing, state }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** What the clients of the stream cost a request through the gateway. */
async function besideTheGateway(server: Part, spender: Part, followers: Part): Promise<readonly boolean[]> {
  const body = chatBody(2_000)
  const load = {
    port: server.port,
    path: '/openai/v1/chat/completions',
    headers: { authorization: 'Bearer made-up-key', 'x-stint-key': 'bench' },
    body,
    perSecond: REQUESTS_PER_SECOND,
  }
  await followers.ask({ clients: 0, isReading: false })
  await steadyRequests({ ...load, forMs: ROUND_MS / 2 })
  const p99s = { without: [] as number[], with: [] as number[] }
  const p50s = { without: [] as number[], with: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of ['without', 'with'] as const) {
      const isWith = side === 'with'
      await followers.ask({ clients: isWith ? CLIENTS : 0, isReading: false })
      const changes = (EVENTS_PER_SECOND * ROUND_MS) / 1_000
      // The same is spent on both sides: only the clients differ.
      const spent = spender.ask({ changes, perSecond: EVENTS_PER_SECOND })
      const taken = await steadyRequests({ ...load, forMs: ROUND_MS })
      await spent
      p99s[side].push(percentile(taken, 99))
      p50s[side].push(percentile(taken, 50))
    }
  }
  const median = (values: readonly number[]): number => percentile(values, 50)
  const row = (name: string, side: 'without' | 'with'): readonly string[] => {
    return [
      name,
      median(p50s[side]).toFixed(2),
      median(p99s[side]).toFixed(2),
      p99s[side].map((ms) => ms.toFixed(1)).join(' '),
    ]
  }
  printTable(
    `The gateway at ${REQUESTS_PER_SECOND} requests a second, beside ${EVENTS_PER_SECOND} changes a second`,
    ['', 'p50 ms', 'p99 ms', 'p99 of each round'],
    [row('no clients', 'without'), row(`${CLIENTS} clients`, 'with')],
  )
  return [
    judge({
      sentence: (figure) => `the p99 of a request with ${CLIENTS} clients is ${figure} of that without`,
      value: median(p99s.with) / median(p99s.without),
      atMost: 1.5,
    }),
  ]
}
