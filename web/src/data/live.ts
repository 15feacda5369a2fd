import type { Alert, IncreaseRequest } from '../../../src/server/contract.ts'
import { callApi } from './call-api.ts'
import { createStore, type Store } from './create-store.ts'
import { followStream, type StreamEvent } from './follow-stream.ts'
import { createLiveTree, type LiveTree } from './live-tree.ts'

export type Connection = 'connecting' | 'live' | 'away'

/** What the stream keeps current. */
export interface Live {
  readonly tree: LiveTree
  /** Grows with every change of the tree, at most once per frame. */
  readonly changes: Store<number>
  readonly requests: Store<readonly IncreaseRequest[]>
  readonly alerts: Store<readonly Alert[]>
  readonly connection: Store<Connection>
  readonly isTruncated: Store<boolean>
  close(): void
}

/** As many of a day are kept. */
export const MOST_ALERTS = 50
const DAY_MS = 86_400_000

/** Loads the tree and follows it until it is closed. */
export function openLive(onSignedOut: () => void): Live {
  const tree = createLiveTree()
  const changes = createStore(0)
  const requests = createStore<readonly IncreaseRequest[]>([])
  const alerts = createStore<readonly Alert[]>([])
  const connection = createStore<Connection>('connecting')
  const isTruncated = createStore(false)
  const closing = new AbortController()

  let isTelling = false
  const tell = (): void => {
    if (isTelling) return
    isTelling = true
    // Not for a frame of its own: a tab in the background has none, and would show old figures when it is seen again.
    setTimeout(() => {
      isTelling = false
      changes.write(changes.read() + 1)
    }, FRAME_MS)
  }

  const load = async (signal: AbortSignal): Promise<string> => {
    const [loaded, open, raised] = await Promise.all([
      callApi('GET /api/tree', { signal }),
      callApi('GET /api/requests', { query: { status: 'open' }, signal }),
      callApi('GET /api/alerts', { query: { sinceMs: Date.now() - DAY_MS, most: MOST_ALERTS }, signal }),
    ])
    tree.replace(loaded.scopes)
    isTruncated.write(loaded.isTruncated)
    requests.write(open.requests)
    alerts.write(raised.alerts)
    tell()
    return loaded.cursor
  }

  const apply = ({ event, data }: StreamEvent): void => {
    if (event === 'scopes') {
      tree.change(data.scopes, data.gone)
      tell()
    } else if (event === 'requests') requests.write(withRequests(requests.read(), data.requests))
    else if (event === 'alerts') alerts.write(withAlerts(alerts.read(), data.alerts))
  }

  void followStream({ load, apply, onState: connection.write, onSignedOut }, closing.signal)
  return { tree, changes, requests, alerts, connection, isTruncated, close: () => closing.abort() }
}

const FRAME_MS = 16

function withRequests(before: readonly IncreaseRequest[], changed: readonly IncreaseRequest[]) {
  const ids = new Set(changed.map(({ id }) => id))
  const open = changed.filter(({ status }) => status === 'open')
  return [...before.filter(({ id }) => !ids.has(id)), ...open].sort((a, b) => a.openedAtMs - b.openedAtMs)
}

function withAlerts(before: readonly Alert[], raised: readonly Alert[]) {
  const ids = new Set(raised.map(({ id }) => id))
  return [...raised, ...before.filter(({ id }) => !ids.has(id))].slice(0, MOST_ALERTS)
}
