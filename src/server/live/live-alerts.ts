import type { LedgerStore } from '../../core/index.ts'
import type { Alert } from '../contract.ts'
import { alertView } from '../reports/alert-view.ts'

/** An alert, and the scopes by which a caller may see it. */
export interface FoundAlert {
  readonly alert: Alert
  readonly idsOnPath: readonly string[]
}

/** Finds what was raised in trees that have changed, by any process. */
export interface LiveAlerts {
  /** Remembers trees to look at. */
  note(rootIds: readonly string[]): void
  /** Looks at them, at most once a second. Each alert is found once. */
  find(): Promise<readonly FoundAlert[]>
}

const LOOK_EVERY_MS = 1_000
const MOST_OF_ROOT = 20
const MOST_ROOTS = 1_000
const MOST_KNOWN = 10_000

export function createLiveAlerts(store: Pick<LedgerStore, 'history' | 'read'>, nowMs: () => number): LiveAlerts {
  const startedAtMs = nowMs()
  const changed = new Set<string>()
  const known = new Set<string>()
  let lookedAtMs = 0

  async function findIn(scopeId: string): Promise<readonly FoundAlert[]> {
    const kinds = ['alert_raised'] as const
    const page = await store.history({ scopeId, kinds, latest: true, most: MOST_OF_ROOT, atMs: nowMs() })
    const found: FoundAlert[] = []
    for (const { event, number } of page.kind === 'page' ? page.entries : []) {
      const alert = alertView(event, number)
      // What was raised before is in the list of alerts.
      if (alert === null || known.has(alert.id) || Date.parse(alert.ts) < startedAtMs) continue
      known.add(alert.id)
      if (known.size > MOST_KNOWN) known.delete(known.values().next().value!)
      const path = (await store.read({ scopeId: alert.scope, atMs: nowMs() })) ?? []
      found.push({ alert, idsOnPath: path.map(({ id }) => id) })
    }
    return found
  }

  return {
    note(rootIds) {
      for (const id of rootIds) if (changed.size < MOST_ROOTS) changed.add(id)
    },
    async find() {
      if (changed.size === 0 || nowMs() - lookedAtMs < LOOK_EVERY_MS) return []
      lookedAtMs = nowMs()
      const roots = [...changed]
      changed.clear()
      return (await Promise.all(roots.map(findIn))).flat()
    },
  }
}
