import type { ScopeReading } from '../../core/index.ts'
import type { LedgerReader } from '../operator.ts'
import { amountsView } from '../views/amounts-view.ts'

/** A run that has ended. */
export interface EndedRun {
  readonly scope: ScopeReading
  readonly endedAtMs: number
  readonly durationMs: number
}

export interface EndedRuns {
  /** The last to end first. */
  readonly runs: readonly EndedRun[]
  /** There are more, which ended earlier. */
  readonly isTruncated: boolean
}

const MOST_SCOPES = 100_000

/** The runs that ended since then, whatever started them. Runs that they started themselves are part of them. */
export async function endedRuns(
  reader: LedgerReader,
  { sinceMs, most }: { readonly sinceMs: number; readonly most: number },
): Promise<EndedRuns> {
  const { store, nowMs } = reader
  const atMs = nowMs()
  const isLasting = new Map<string, boolean>()
  const runs: EndedRun[] = []
  // Twice as many each time, since most of them may be parts of runs.
  for (let asked = Math.min(MOST_SCOPES, 2 * most + 2); ; asked = Math.min(MOST_SCOPES, 2 * asked)) {
    const scopes = await store.list({ standing: 'ended', endedSinceMs: sinceMs, most: asked, atMs })
    runs.length = 0
    for (const scope of scopes) {
      if (runs.length > most) break
      if (await isRun(reader, scope, isLasting)) runs.push(endedRun(scope))
    }
    if (runs.length > most || scopes.length < asked || asked === MOST_SCOPES) break
  }
  return { runs: runs.slice(0, most), isTruncated: runs.length > most }
}

function endedRun(scope: ScopeReading): EndedRun {
  const endedAtMs = scope.closedAtMs ?? scope.openedAtMs
  return { scope, endedAtMs, durationMs: Math.max(0, endedAtMs - scope.openedAtMs) }
}

/** A run has no other run above it, only budgets. */
async function isRun(
  { store, nowMs }: LedgerReader,
  { kind, parentId }: ScopeReading,
  isLasting: Map<string, boolean>,
): Promise<boolean> {
  if (kind === 'lasting') return false
  if (parentId === null) return true
  const known = isLasting.get(parentId)
  if (known !== undefined) return known
  const parent = (await store.read({ scopeId: parentId, atMs: nowMs() }))?.at(-1)
  isLasting.set(parentId, parent?.kind === 'lasting')
  return parent?.kind === 'lasting'
}

/** A run as JSON. */
export function endedRunView({ scope, endedAtMs, durationMs }: EndedRun) {
  const { id, name, path, kind, status, labels, about, openedAtMs, activeMs, totals } = scope
  const settled = Object.fromEntries(Object.entries(totals).map(([meter, total]) => [meter, total.settled]))
  const what = { agentType: labels.agentType ?? null, taskId: labels.taskId ?? null, about }
  return {
    id,
    name,
    path,
    kind,
    status,
    ...what,
    openedAtMs,
    endedAtMs,
    durationMs,
    activeMs,
    totals: amountsView(settled),
  }
}
