import { balanceKey, type LedgerStore, type Limit } from '../../src/core/index.ts'
import { madeUpHash } from '../../src/testing/store-contract/contract-ledger.ts'
import { limitOn } from '../../src/testing/store-contract/limit-on.ts'

const atMs = Date.UTC(2026, 10, 17, 12)

/** Puts a text where a store keeps one, or looks for one. `id` is that of a scope which is there for this text alone. */
export type UseText = (store: LedgerStore, text: string, id: string) => Promise<unknown>

const agent = (id: string, more: object = {}) =>
  ({ id, name: 'n', kind: 'agent', owner: 'p', limits: [], ...more }) as const
const open = (store: LedgerStore, id: string, more: object = {}, parentId: string | null = null): Promise<unknown> =>
  store.open({ parentId, scopes: [agent(id, more)], atMs })
const limitAt = (source: object): Limit =>
  limitOn('tokens', 100, { source: { ...limitOn('tokens', 1).source, ...source } })
const reserve = (store: LedgerStore, scopeId: string, reservationId: string, holder = 'p'): Promise<unknown> =>
  store.reserve({ reservationId, scopeId, amounts: { toolCalls: 1 }, holder, atMs })

/** Every field of every operation that holds a text, the first of them opens the scope of the others. */
export const TEXT_FIELDS: Readonly<Record<string, UseText>> = {
  scope: (store, _, id) => open(store, id, { limits: [limitOn('toolCalls', 50)] }),
  'open id': (store, text) => open(store, text),
  'open id of a child': (store, text, id) => store.open({ parentId: id, scopes: [agent(text)], atMs }),
  'open name': (store, text, id) => open(store, `${id} named`, { name: text }, id),
  'open kind': (store, text, id) => open(store, `${id} kind`, { kind: text }, id),
  'open owner': (store, text, id) => open(store, `${id} owned`, { owner: text }, id),
  'open labels': (store, text, id) => open(store, `${id} label`, { labels: { taskId: text } }, id),
  'open keys of labels': (store, text, id) => open(store, `${id} key of label`, { labels: { [text]: 'x' } }, id),
  'open file of a limit': (store, text, id) => open(store, `${id} file`, { limits: [limitAt({ file: text })] }, id),
  'open name of a limit': (store, text, id) =>
    open(store, `${id} written`, { limits: [limitAt({ written: text })] }, id),
  'open zone of a limit': (store, text, id) =>
    open(store, `${id} zone`, { limits: [limitOn('cost', 1, { timeZone: text })] }, id),
  'open parent': (store, text, id) => store.open({ parentId: text, scopes: [agent(`${id} below`)], atMs }),
  'reserve id': (store, text, id) => reserve(store, id, text),
  'reserve holder': (store, text, id) => reserve(store, id, `${id} held`, text),
  'reserve scope': (store, text, id) => reserve(store, text, `${id} lost`),
  'settle id': (store, text) => store.settle({ reservationId: text, atMs }),
  'settle word': async (store, text, id) => {
    await reserve(store, id, `${id} settled`)
    return store.settle({ reservationId: `${id} settled`, by: text, reason: text, atMs })
  },
  'release word': async (store, text, id) => {
    await reserve(store, id, `${id} released`)
    return store.release({ reservationId: `${id} released`, by: text, reason: text, atMs })
  },
  'assume holder': (store, text) => store.assume({ holder: text, atMs }),
  'ask id': async (store, text, id) => {
    await open(store, `${id} in question`, { limits: [limitOn('toolCalls', 50)] }, id)
    return store.ask(question(`${id} in question`, text, 'why'))
  },
  'ask reason': (store, text, id) => store.ask(question(id, `${id} asks`, text)),
  'ask key': (store, text, id) => store.ask({ ...question(id, `${id} asks of another`, 'why'), key: text }),
  'answer word': (store, text, id) => store.answer({ requestId: `${id} asks`, verdict: 'approved', by: text, atMs }),
  'answer verdict': (store, text, id) => store.answer({ requestId: `${id} asks`, verdict: text as 'denied', atMs }),
  'set limits word': (store, text, id) =>
    store.setLimits({ scopeId: id, limits: [limitOn('cost', 5)], by: text, atMs }),
  'set limits source': (store, text, id) => store.setLimits({ scopeId: id, limits: [limitAt({ flag: text })], atMs }),
  'pause word': (store, text, id) => store.pause({ scopeId: id, reason: text, by: text, requestId: `${id} q`, atMs }),
  'pause request': (store, text, id) => store.pause({ scopeId: id, reason: 'r', requestId: text, atMs }),
  'pause document': (store, text, id) => store.pause({ scopeId: id, reason: 'r', document: text, atMs }),
  'read document': (store, _, id) => store.document({ scopeId: id }),
  'resume owner': (store, text, id) => store.resume({ scopeId: id, owner: text, atMs }),
  'pause again': (store, _, id) => store.pause({ scopeId: id, reason: 'r', atMs }),
  'resume word': (store, text, id) => store.resume({ scopeId: id, by: text, atMs }),
  'note document': (store, text, id) => store.note({ scopeId: id, document: text, atMs }),
  'read note': (store, _, id) => store.document({ scopeId: id }),
  'key id': (store, text, id) => store.addKey({ keyId: text, scopeId: id, hash: madeUpHash(`${id}1`), atMs }),
  'key name': (store, text, id) =>
    store.addKey({ keyId: `${id} named`, scopeId: id, hash: madeUpHash(`${id}2`), name: text, atMs }),
  'key word': (store, text, id) =>
    store.addKey({ keyId: `${id} made`, scopeId: id, hash: madeUpHash(`${id}3`), by: text, atMs }),
  'key hash': (store, text, id) => store.addKey({ keyId: `${id} hashed`, scopeId: id, hash: text, atMs }),
  'key revoked': (store, text, id) => store.revokeKey({ keyId: `${id} made`, by: text, atMs }),
  'close status': (store, text, id) => store.close({ scopeId: id, status: text as 'failed', atMs }),
}

/** Every place where a store looks for something by a text. */
export const TEXT_LOOKUPS: Readonly<Record<string, UseText>> = {
  'look for scope': (store, text) => store.read({ scopeId: text, atMs }),
  'look for document': (store, text) => store.document({ scopeId: text }),
  'look for children': (store, text) => store.list({ standing: 'open', parentId: text, atMs }),
  'look for request': (store, text) => store.requests({ requestId: text }),
  'look for reservation': (store, text) => store.reservations({ state: 'open', reservationId: text }),
  'look for reservations of a scope': (store, text) => store.reservations({ state: 'open', scopeId: text }),
  'look for reservations of a holder': (store, text) => store.reservations({ state: 'open', holder: text }),
  'look for keys': (store, text) => store.keys({ scopeId: text }),
  'look for path': (store, text) => store.list({ standing: 'all', path: text, atMs }),
  'look for start of an id': (store, text) => store.list({ standing: 'all', idPrefix: text, atMs }),
  'look for key': (store, text) => store.keyByHash({ hash: text }),
}

function question(scopeId: string, requestId: string, reason: string) {
  const key = balanceKey(scopeId, limitOn('toolCalls', 50))
  return { requestId, scopeId, key, settled: 0, asked: 1, reason, expiresAtMs: atMs + 1_000, atMs }
}
