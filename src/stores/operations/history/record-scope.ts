import {
  type Breaches,
  describeSource,
  type EndStatus,
  type IncreaseRecord,
  keptText,
  type Limit,
  limitChanges,
  limitEventFromBreach,
  type PauseRecord,
  progressFields,
} from '../../../core/index.ts'
import { peekRow } from '../state/counter-series.ts'
import type { Ledger } from '../state/ledger.ts'
import type { ScopeState } from '../state/ledger-state.ts'
import { headerFor, recordEvent, subjectOf } from './record-event.ts'

export function recordOpened(ledger: Ledger, scope: ScopeState, atMs: number): void {
  const limits = scope.limits.map(({ limit: { meter, max, per, action, source } }) => {
    return { limit_kind: meter, limit: max, per, action, source: describeSource(source) }
  })
  const opened = { kind: scope.kind, parent_scope: scope.parent?.id ?? null, limits }
  recordEvent(ledger, scope, atMs, { ...headerFor(scope, 'scope_opened', atMs), ...opened })
}

export function recordClosed(
  ledger: Ledger,
  scope: ScopeState,
  end: {
    readonly status: EndStatus
    readonly reason: string | undefined
    readonly by: { readonly by?: string }
  },
  atMs: number,
): void {
  const { status, reason, by } = end
  const progress = progressFields(subjectOf(scope, atMs))
  const error = status === 'completed' || !reason ? {} : { error: keptText(reason) }
  recordEvent(ledger, scope, atMs, { ...headerFor(scope, 'scope_closed', atMs), ...progress, status, ...error, ...by })
}

export function recordPaused(ledger: Ledger, scope: ScopeState, { reason, breaches, atMs }: PauseRecord): void {
  const why = {
    reason: keptText(reason),
    resume_url: `/tasks/${encodeURIComponent(scope.labels.taskId ?? scope.id)}/resume`,
  }
  recordEvent(ledger, scope, atMs, { ...pausedBy(scope, breaches, atMs), ...why })
}

function pausedBy(scope: ScopeState, breaches: Breaches | null, atMs: number) {
  const subject = subjectOf(scope, atMs)
  const header = headerFor(scope, 'agent_paused', atMs)
  if (breaches === null) return { ...header, ...progressFields(subject) }
  return { ...limitEventFromBreach({ event: 'agent_paused', atMs }, subject, breaches[0]), ...header }
}

export function recordResumed(
  ledger: Ledger,
  scope: ScopeState,
  pause: PauseRecord | null,
  by: string | null,
  atMs: number,
): void {
  const pausedMs = pause === null ? 0 : Math.max(0, atMs - pause.atMs)
  const progress = progressFields(subjectOf(scope, atMs))
  recordEvent(ledger, scope, atMs, { ...headerFor(scope, 'agent_resumed', atMs), ...progress, by, paused_ms: pausedMs })
}

/** Stores which limits of a scope differ from those before. */
export function recordLimits(
  ledger: Ledger,
  scope: ScopeState,
  before: readonly Limit[],
  by: string | null,
  atMs: number,
): void {
  const after = scope.limits.map(({ limit }) => limit)
  for (const { limit, before: limitBefore, after: max } of limitChanges(before, after)) {
    recordEvent(ledger, scope, atMs, {
      ...headerFor(scope, 'limit_raised', atMs),
      limit_kind: limit.meter,
      per: limit.per,
      limit_before: limitBefore,
      limit: max,
      used: usedOn(scope, limit, atMs),
      by,
      source: describeSource(limit.source),
    })
  }
}

function usedOn(scope: ScopeState, limit: Limit, atMs: number): number {
  const state = scope.limits.find((each) => each.limit === limit)
  if (limit.meter === 'concurrency') return scope.openChildren
  return state === undefined || state.series === null ? 0 : peekRow(state.series, atMs).settled
}

/** Stores that a request for more was made or answered. */
export function recordRequest(ledger: Ledger, scope: ScopeState, request: IncreaseRecord, atMs: number): void {
  const { id, meter, key, limit, settled, asked, status, reason, granted, by, expiresAtMs } = request
  const written = scope.limits.find((each) => each.key === key)?.limit.source.written ?? meter
  const about = { request: id, limit_kind: meter, limit_name: written, limit, used: settled, asked }
  if (status === 'open') {
    const header = headerFor(scope, 'increase_requested', atMs)
    recordEvent(ledger, scope, atMs, {
      ...header,
      ...about,
      reason: keptText(reason),
      expires_at: new Date(expiresAtMs).toISOString(),
    })
  } else if (status === 'approved') {
    const header = headerFor(scope, 'increase_granted', atMs)
    recordEvent(ledger, scope, atMs, { ...header, ...about, granted: granted ?? 0, by })
  } else if (status === 'denied') {
    recordEvent(ledger, scope, atMs, { ...headerFor(scope, 'increase_denied', atMs), ...about, reason: 'denied', by })
  } else recordEvent(ledger, scope, atMs, { ...headerFor(scope, 'increase_expired', atMs), ...about })
}
