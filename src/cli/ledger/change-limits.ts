import { isEnded, type LedgerStore, type Limit, type ScopeReading, StintError } from '../../core/index.ts'
import { type ParsedLimits, resolveLimits, type SetEntry } from '../../policy/index.ts'

const MOST_ATTEMPTS = 10

interface Change {
  readonly scopeId: string
  /** What is written; only the limits that it names change. */
  readonly layers: readonly ParsedLimits[]
  /** What no limit is raised above. */
  readonly ceilings: readonly ParsedLimits[]
  readonly by: string
  readonly nowMs: () => number
}

/**
 * Writes limits of a scope anew, whoever runs it: those that are named, up or down, and never above an
 * operator's ceiling. Returns how the scope then stands.
 */
export async function changeLimits(store: LedgerStore, change: Change): Promise<ScopeReading> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const scope = await readOpen(store, change)
    const limits = limitsAfter(scope, change)
    const { scopeId, by } = change
    const outcome = await store.setLimits({
      scopeId,
      limits,
      by,
      expectedRevision: scope.revision,
      atMs: change.nowMs(),
    })
    if (outcome.kind === 'written') return readOpen(store, change)
  }
  const message = `Others kept writing the limits of ${change.scopeId} at the same time. Try again.`
  throw new StintError('store_busy', message, { retryable: true })
}

async function readOpen(store: LedgerStore, { scopeId, nowMs }: Change): Promise<ScopeReading> {
  const scope = (await store.read({ scopeId, atMs: nowMs() }))!.at(-1)!
  if (!isEnded(scope.status)) return scope
  throw new StintError('scope_closed', `"${scope.path}" has ended (${scope.status}). Its limits no longer matter.`)
}

function limitsAfter(scope: ScopeReading, { layers, ceilings }: Change): readonly Limit[] {
  const { limits: written, removed } = resolveLimits(layers)
  const caps = resolveLimits(ceilings).ceilings
  const before = scope.limits.map(({ limit }) => limit)
  const [own, standing] = [before.filter((limit) => !isCeiling(limit)), before.filter(isCeiling)]
  const isRemoved = ({ meter }: Limit): boolean => removed.some((each) => each.meter === meter)
  const kept = own.filter((old) => !isRemoved(old) && !written.some((next) => isSame(old, next)))
  const changed = written.map((next): Limit => {
    const most = [...caps, ...standing].filter((cap) => isSame(cap, next)).map(({ max }) => max)
    const old = own.find((limit) => isSame(limit, next))
    return { ...completed(next, old, layers), max: Math.min(next.max, ...most) }
  })
  // Where a limit is taken away, the ceiling that it was under is the limit.
  const bared = caps.filter((cap) => isRemoved(cap) && !standing.some((limit) => isSame(limit, cap)))
  return [...kept, ...changed, ...standing, ...bared]
}

/** What is not written about a limit (its action, its thresholds, its time zone) stays as it was. */
function completed(next: Limit, old: Limit | undefined, layers: readonly ParsedLimits[]): Limit {
  const layer = layers.findLast(({ entries }) => entries.some(({ source }) => source === next.source))
  const entry = layer?.entries.find(({ source }) => source === next.source) as SetEntry | undefined
  return {
    ...next,
    action: entry?.action ?? layer?.onLimit?.action ?? old?.action ?? next.action,
    nearing: entry?.nearing ?? layer?.nearing?.thresholds ?? old?.nearing ?? next.nearing,
    timeZone: entry?.timeZone ?? layer?.timeZone?.name ?? old?.timeZone ?? next.timeZone,
  }
}

function isCeiling({ source }: Limit): boolean {
  return source.layer === 'ceiling'
}

function isSame(left: Limit, right: Limit): boolean {
  return left.meter === right.meter && left.per === right.per
}
