import { randomBytes } from 'node:crypto'
import { isEnded, type LedgerStore, type ScopeReading } from '../../core/index.ts'
import { MOST_SCOPES } from '../../operate/find/find-scope.ts'
import { SERVER_SCOPE_ID } from '../../operate/keys/server-scope.ts'
import { isOwnerAlive } from '../../operate/scopes/scope-details.ts'
import { requestView } from '../../operate/views/scope-view.ts'
import type { Answer, IncreaseRequest, ScopeRow } from '../contract.ts'
import { type Change, createChangeLog } from './change-log.ts'
import { createLiveAlerts } from './live-alerts.ts'
import { scopeRow } from './scope-row.ts'

/** What the tree is read from. */
export interface LiveSource {
  readonly store: Pick<LedgerStore, 'changed' | 'history' | 'list' | 'read' | 'requests'>
  readonly nowMs: () => number
  isHolderAlive(holder: string): boolean | null
}

/** Serialised once, for every client that may see it. */
interface Kept<Item> {
  readonly item: Item
  readonly json: string
  readonly idsOnPath: readonly string[]
}

interface KeptScope extends Kept<ScopeRow> {
  readonly owner: string | null
  /** When the first of its windows ends. */
  readonly resetsAtMs: number
}

/**
 * A copy of the ledger's open scopes, those that ended in the last hour and the open requests, with a log of what
 * changed. It is as old as the last `refresh`.
 */
export interface LiveTree {
  readonly version: number
  /** Reads what any process has changed. Calls that overlap share one read. */
  refresh(): Promise<void>
  snapshot(scopeId: string | null): Promise<Answer<'GET /api/tree'>>
  /** The version that a cursor stands for; `null` if it is of another server or nonsense. */
  versionOf(cursor: string): number | null
  cursorOf(version: number): string
  /** What changed after a version; `null` if that is forgotten. */
  changesAfter(version: number): readonly Change[] | null
  /** The current state as JSON; `null` if it is gone. */
  jsonOf(change: Change): string | null
}

const ENDED_SHOWN_MS = 3_600_000
const MOST_ENDED = 2_000
const MOST_REQUESTS = 1_000
const MOST_ALERTS = 1_000
const READ_TOGETHER = 500
const LOOK_AT_OWNERS_EVERY_MS = 5_000

export function createLiveTree({ store, nowMs, isHolderAlive }: LiveSource): LiveTree {
  const epoch = randomBytes(6).toString('base64url')
  const log = createChangeLog()
  const scopes = new Map<string, KeptScope>()
  const requests = new Map<string, Kept<IncreaseRequest>>()
  const alerts = new Map<string, string>()
  const liveAlerts = createLiveAlerts(store, nowMs)
  let cursor: number | null = null
  let underWay: Promise<void> | null = null
  let ownersAtMs = 0
  let isTruncated = false

  function keep(scope: ScopeReading, idsOnPath: readonly string[], isAlive: boolean | null): void {
    if (scope.id === SERVER_SCOPE_ID) return
    const item = scopeRow(scope, isAlive)
    const json = JSON.stringify(item)
    if (scopes.get(scope.id)?.json === json) return
    const resets = scope.limits.flatMap(({ resetsAt }) => resetsAt ?? [])
    const resetsAtMs = isEnded(scope.status) ? Number.POSITIVE_INFINITY : Math.min(Number.POSITIVE_INFINITY, ...resets)
    scopes.set(scope.id, { item, json, idsOnPath, owner: scope.owner, resetsAtMs })
    log.add({ kind: 'scope', id: scope.id, idsOnPath })
  }

  /** Asks for each holder once. */
  function lives(): (scope: ScopeReading) => boolean | null {
    const known = new Map<string, boolean | null>()
    const look = (holder: string): boolean | null => {
      if (!known.has(holder)) known.set(holder, isHolderAlive(holder))
      return known.get(holder)!
    }
    return (scope) => isOwnerAlive({ isHolderAlive: look }, scope)
  }

  async function readAgain(ids: readonly string[]): Promise<void> {
    const isAlive = lives()
    for (let start = 0; start < ids.length; start += READ_TOGETHER) {
      const part = ids.slice(start, start + READ_TOGETHER)
      const paths = await Promise.all(part.map((scopeId) => store.read({ scopeId, atMs: nowMs() })))
      for (const [index, path] of paths.entries()) {
        const scope = path?.at(-1)
        if (path === null || scope === undefined) drop(part[index]!)
        else
          keep(
            scope,
            path.map(({ id }) => id),
            isAlive(scope),
          )
      }
    }
  }

  function drop(id: string): void {
    const known = scopes.get(id)
    if (known === undefined) return
    scopes.delete(id)
    log.add({ kind: 'gone', id, idsOnPath: known.idsOnPath })
  }

  async function load(): Promise<void> {
    const atMs = nowMs()
    const { cursor: start } = await store.changed({ since: null })
    const open = await store.list({ standing: 'open', most: MOST_SCOPES, atMs })
    const ended = await store.list({
      standing: 'ended',
      endedSinceMs: atMs - ENDED_SHOWN_MS,
      most: MOST_ENDED + 1,
      atMs,
    })
    isTruncated = open.length >= MOST_SCOPES || ended.length > MOST_ENDED
    const isAlive = lives()
    const all = [...open, ...ended.slice(0, MOST_ENDED)]
    const byId = new Map(all.map((scope) => [scope.id, scope]))
    const lost: string[] = []
    for (const scope of all) {
      const ids = idsOnPath(scope, byId)
      // What it belongs to ended long ago.
      if (ids === null) lost.push(scope.id)
      else keep(scope, ids, isAlive(scope))
    }
    await readAgain(lost)
    cursor = start
  }

  /** Those that changed, and those whose window has ended. */
  async function changedScopes(): Promise<readonly string[]> {
    const outcome = await store.changed({ since: cursor })
    cursor = outcome.cursor
    const atMs = nowMs()
    const reset = [...scopes].flatMap(([id, { resetsAtMs }]) => (resetsAtMs <= atMs ? [id] : []))
    const { scopes: changed, roots } = outcome
    liveAlerts.note(roots ?? [])
    if (changed !== null) return [...new Set([...changed, ...reset])]
    if (roots !== null && roots.length === 0) return reset
    const isMeant = (id: string | undefined): boolean => roots === null || (id !== undefined && roots.includes(id))
    const open = await store.list({ standing: 'open', most: MOST_SCOPES, atMs })
    const known = [...scopes].flatMap(([id, { idsOnPath: path }]) => (isMeant(path[0]) ? [id] : []))
    const fresh = open.filter(({ id }) => !scopes.has(id)).map(({ id }) => id)
    return [...new Set([...known, ...fresh, ...reset])]
  }

  function dropOld(): void {
    const beforeMs = nowMs() - ENDED_SHOWN_MS
    for (const [id, { item }] of scopes) if (item.closedAtMs !== null && item.closedAtMs < beforeMs) drop(id)
  }

  async function readRequests(): Promise<void> {
    const open = await store.requests({ status: 'open', most: MOST_REQUESTS })
    const openIds = new Set(open.map(({ id }) => id))
    const answered = [...requests.values()].filter(({ item }) => item.status === 'open' && !openIds.has(item.id))
    const now = await Promise.all(answered.map(({ item }) => store.requests({ requestId: item.id })))
    for (const record of [...open, ...now.flat()]) {
      const item = requestView(record)
      const json = JSON.stringify(item)
      if (requests.get(record.id)?.json === json) continue
      const path = await store.read({ scopeId: record.scopeId, atMs: nowMs() })
      const ids = (path ?? []).map(({ id }) => id)
      requests.set(record.id, { item, json, idsOnPath: ids })
      log.add({ kind: 'request', id: record.id, idsOnPath: ids })
      if (requests.size > 2 * MOST_REQUESTS) requests.delete(requests.keys().next().value!)
    }
  }

  async function readAlerts(): Promise<void> {
    for (const { alert, idsOnPath: ids } of await liveAlerts.find()) {
      alerts.set(alert.id, JSON.stringify(alert))
      if (alerts.size > MOST_ALERTS) alerts.delete(alerts.keys().next().value!)
      log.add({ kind: 'alert', id: alert.id, idsOnPath: ids })
    }
  }

  async function refreshOnce(): Promise<void> {
    if (cursor === null) {
      await load()
      await readRequests()
      return
    }
    const ids = await changedScopes()
    await readAgain(ids)
    if (ids.length > 0) await readRequests()
    await readAlerts()
    if (nowMs() - ownersAtMs < LOOK_AT_OWNERS_EVERY_MS) return
    // A process dies without a word in the ledger.
    ownersAtMs = nowMs()
    dropOld()
    const isHolderKnownAlive = new Map<string, boolean | null>()
    const owned = [...scopes].flatMap(([id, { owner, item }]) => {
      if (owner === null || isEnded(item.status)) return []
      if (!isHolderKnownAlive.has(owner)) isHolderKnownAlive.set(owner, isHolderAlive(owner))
      return (isHolderKnownAlive.get(owner) === false) === item.isStale || item.status === 'paused' ? [] : [id]
    })
    await readAgain(owned)
  }

  const tree: LiveTree = {
    get version() {
      return log.version
    },
    refresh() {
      underWay ??= refreshOnce().finally(() => {
        underWay = null
      })
      return underWay
    },
    async snapshot(scopeId) {
      await tree.refresh()
      const rows = [...scopes.values()].filter(({ idsOnPath: ids }) => scopeId === null || ids.includes(scopeId))
      const ordered = rows.sort((left, right) => left.idsOnPath.length - right.idsOnPath.length)
      return { cursor: tree.cursorOf(log.version), scopes: ordered.map(({ item }) => item), isTruncated }
    },
    cursorOf: (version) => `${epoch}.${version}`,
    versionOf(text) {
      const [given, number = ''] = text.split('.')
      return given === epoch && /^\d{1,15}$/.test(number) ? Number(number) : null
    },
    changesAfter: (version) => log.after(version),
    jsonOf({ kind, id }) {
      if (kind === 'scope') return scopes.get(id)?.json ?? null
      if (kind === 'request') return requests.get(id)?.json ?? null
      return kind === 'alert' ? (alerts.get(id) ?? null) : null
    },
  }
  return tree
}

function idsOnPath(scope: ScopeReading, byId: ReadonlyMap<string, ScopeReading>): readonly string[] | null {
  const ids = [scope.id]
  for (let { parentId } = scope; parentId !== null; ) {
    const parent = byId.get(parentId)
    if (parent === undefined) return null
    ids.unshift(parentId)
    parentId = parent.parentId
  }
  return ids
}
