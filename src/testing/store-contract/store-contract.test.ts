import { describe, expect, it } from 'vitest'
import type { LedgerStore } from '../../core/index.ts'
import { createMemoryStore } from '../../stores/memory/index.ts'
import { answersAlike } from './histories/answers-alike.ts'
import { failuresOf } from './run-contract.fixture.ts'

type Fault = (store: LedgerStore) => Partial<LedgerStore>

/** Faulty stores, each by what it does instead. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'charges what was released': (store) => ({ release: (request) => store.settle({ ...request, actual: null }) }),
  'forgets the hold of a settlement': (store) => ({
    settle: ({ hold: _, ...request }) => store.settle(request),
  }),
  'resumes as often as it is asked to': (store) => ({
    async resume(request) {
      const outcome = await store.resume(request)
      if (outcome.kind !== 'not-paused') return outcome
      return { kind: 'resumed', pause: null, document: null, activeMs: 0 }
    },
  }),
  'resumes whatever the question was': (store) => ({
    resume: ({ requestId: _, ...request }) => store.resume(request),
  }),
  'does not keep the document of a second pause': (store) => ({
    async pause(request) {
      const { document: _, ...rest } = request
      const [scope] = (await store.read({ scopeId: request.scopeId, atMs: request.atMs }))?.slice(-1) ?? []
      return store.pause(scope?.pause === null ? request : rest)
    },
  }),
  'lets closing calls wait for the end of a pause': (store) => ({
    reserve: (request) => store.reserve({ ...request, closing: false }),
  }),
  'opens a second request for the same limit': (store) => ({
    async ask(request) {
      const outcome = await store.ask(request)
      return outcome.kind === 'joined' ? { kind: 'asked', request: outcome.request } : outcome
    },
  }),
  'approves everything in whole': (store) => ({
    answer: ({ amount: _, ...request }) => store.answer(request),
  }),
  'does not say who answered': (store) => ({ answer: ({ by: _, ...request }) => store.answer(request) }),
  'lists more than was wanted': (store) => ({ list: ({ most: _, ...filter }) => store.list(filter) }),
  'lists the scopes of everybody': (store) => ({ list: ({ parentId: _, ...filter }) => store.list(filter) }),
  'lists scopes of every kind': (store) => ({ list: ({ kind: _, ...filter }) => store.list(filter) }),
  'finds scopes by the end of their path': (store) => ({
    list: async ({ path, ...filter }) => (await store.list(filter)).filter((each) => each.path.endsWith(path ?? '')),
  }),
  'takes the start of an id for the whole': (store) => ({
    list: async ({ idPrefix, ...filter }) => (await store.list(filter)).filter(({ id }) => (idPrefix ?? id) === id),
  }),
  'counts no further than it lists': (store) => ({
    count: async (filter) => (await store.list({ ...filter, most: 3, atMs: 0 })).length,
  }),
  'lists the reservations of everybody': (store) => ({
    reservations: ({ scopeId: _, holder: __, ...filter }) => store.reservations(filter),
  }),
  'never hears that somebody steered': (store) => ({
    poll: async (request) => ({ ...(await store.poll(request)), steered: [] }),
  }),
  'hears everything again and again': (store) => ({
    poll: ({ since }) => store.poll({ since: since === null ? null : 0 }),
  }),
  'notes nothing': () => ({ note: async () => {} }),
  'leaves the scopes of the dead alone': (store) => ({
    assume: async (request) => ({ ...(await store.assume(request)), orphanedScopes: [] }),
  }),
  'knows of no holder': () => ({ holders: async () => [] }),
  'hears no heartbeat': () => ({ beat: async () => ({ kind: 'beating', beats: 1 }) }),
  'buries the living': (store) => ({ assume: ({ beats: _, ...request }) => store.assume(request) }),
  'forgets ceilings that no limit has reached': (store) => ({
    open: (request) => store.open({ ...request, scopes: request.scopes.map(({ ceilings: _, ...scope }) => scope) }),
  }),
  'revokes no key': (store) => ({
    async revokeKey({ keyId }) {
      const key = (await store.keys({})).find(({ id }) => id === keyId)
      return key === undefined ? { kind: 'unknown' } : { kind: 'revoked', key }
    },
  }),
  'lets a key live for ever': (store) => ({ addKey: ({ expiresAtMs: _, ...request }) => store.addKey(request) }),
  'does not say who made a key': (store) => ({ addKey: ({ by: _, ...request }) => store.addKey(request) }),
  'finds no key by its hash': () => ({ keyByHash: async () => null }),
  'shows the keys of everybody': (store) => ({ keys: ({ scopeId: _, ...filter }) => store.keys(filter) }),
  'writes limits over those of others': (store) => ({
    setLimits: ({ expectedRevision: _, ...request }) => store.setLimits(request),
  }),
}

function faulty(fault: Fault): LedgerStore {
  const store = createMemoryStore()
  return { ...store, ...fault(store) }
}

describe('the store contract', () => {
  it('passes for the memory store, also when reopened and through two handles', async () => {
    const subject = {
      createStore: () => createMemoryStore({ isShared: true }),
      second: anew,
      reopen: async (store: LedgerStore) => anew(store),
    }
    const { tests, failed } = await failuresOf(subject)
    expect(failed).toEqual([])
    expect(tests).toBeGreaterThan(300)
  })

  it.each(Object.entries(FAULTS))('fails for a store that %s', async (_, fault) => {
    const { failed } = await failuresOf({ createStore: () => faulty(fault) })
    expect(failed.length).toBeGreaterThan(0)
  })

  it('fails for a store that loses its notes when it is reopened', async () => {
    const forgetful = (store: LedgerStore): LedgerStore => ({ ...store, document: async () => null })
    const { failed } = await failuresOf({ createStore: createMemoryStore, reopen: async (store) => forgetful(store) })
    expect(failed.length).toBeGreaterThan(0)
    for (const title of failed) expect(title).toMatch(/^a store, opened again/)
  })

  it("fails for two handles of which one does not see the other's writes", async () => {
    const { failed } = await failuresOf({ createStore: createMemoryStore, second: () => createMemoryStore() })
    expect(failed.some((title) => title.includes('B5: of 1,000 reserves at once'))).toBe(true)
  })
})

describe('compared histories', () => {
  const shared = { createStore: createMemoryStore, second: anew, reopen: async (store: LedgerStore) => anew(store) }

  it('are the same on two memory stores, and contain every kind of answer', async () => {
    const { steps, answers } = await answersAlike(shared, { histories: 200 })
    expect(steps).toBeGreaterThan(4_000)
    expect([...answers.keys()].toSorted()).toEqual(EVERY_ANSWER.toSorted())
  })

  it.each([
    'forgets the hold of a settlement',
    'resumes whatever the question was',
    'does not say who answered',
    'opens a second request for the same limit',
    'notes nothing',
    'leaves the scopes of the dead alone',
    'revokes no key',
    'does not say who made a key',
    'shows the keys of everybody',
    'writes limits over those of others',
    'never hears that somebody steered',
  ])('show in few requests that a store %s', async (name) => {
    const compared = answersAlike({ createStore: () => faulty(FAULTS[name]!) }, { histories: 200 })
    const error: Error = await compared.then(
      () => new Error('no difference'),
      (difference) => difference,
    )
    expect(error.message).toMatch(/^The history of seed \d+ differs/)
    expect(error.message.match(/\n {2}\{/g)?.length).toBeLessThan(12)
  })
})

/** A new handle that looks the same as another process's. */
function anew(store: LedgerStore): LedgerStore {
  return { ...store }
}

const EVERY_ANSWER = Object.entries({
  addKey: ['added', 'closed', 'conflict', 'duplicate'],
  answer: ['answered', 'duplicate', 'unknown'],
  ask: ['asked', 'joined', 'unknown'],
  assume: ['done'],
  close: ['closed', 'duplicate'],
  hold: ['done'],
  note: ['done'],
  beat: ['beating', 'dead'],
  open: ['closed', 'dead', 'opened', 'paused', 'refused'],
  pause: ['closed', 'duplicate', 'paused'],
  release: ['conflict', 'corrected', 'duplicate', 'released', 'unknown'],
  reserve: ['breached', 'closed', 'conflict', 'dead', 'granted', 'paused'],
  resume: ['dead', 'no-owner', 'not-paused', 'resumed'],
  revokeKey: ['duplicate', 'revoked', 'unknown'],
  setLimits: ['stale', 'written'],
  settle: ['assumed', 'conflict', 'corrected', 'duplicate', 'settled', 'unknown'],
}).flatMap(([call, kinds]) => kinds.map((kind) => `${call} ${kind}`))
