import { isEnded, METER_NAMES, type MeterUsage, type ScopeReading, usageRecord } from '../../core/index.ts'
import type { RowUsage, ScopeRow } from '../contract.ts'

// The readings already include what is assumed; what only the scope's own process knows is left out.
const NOTHING_BESIDE = { clocks: null, messages: null, wholePath: false, assumed: [], refused: 0, atMs: 0 } as const

/** A scope in the live tree. */
export function scopeRow(scope: ScopeReading, isOwnerAlive: boolean | null): ScopeRow {
  const { id, parentId, name, path, kind, status, labels, openedAtMs, closedAtMs, activeMs, openChildren, pause } =
    scope
  const usage = usageRecord([scope], NOTHING_BESIDE)
  const shown = METER_NAMES.flatMap((meter) => {
    const one = usage[meter]
    const isShown = one.limit !== null || one.settled > 0 || one.reserved > 0
    return isShown ? [[meter, rowUsage(scope, one)] as const] : []
  })
  return {
    id,
    parentId,
    name,
    path,
    kind,
    status,
    agentType: labels.agentType ?? null,
    openedAtMs,
    closedAtMs,
    activeMs,
    openChildren,
    isStale: isOwnerAlive === false && !isEnded(status) && status !== 'paused',
    pause: pause === null ? null : { reason: pause.reason, by: pause.by, atMs: pause.atMs, requestId: pause.requestId },
    usage: Object.fromEntries(shown),
  }
}

function rowUsage(scope: ScopeReading, usage: MeterUsage): RowUsage {
  const { unit, written, limit, settled, reserved, held, remaining, overrun, resetsAt } = usage
  const tightest = scope.limits.find((reading) => {
    return reading.limit.source.written === written && reading.limit.max === limit && reading.resetsAt === resetsAt
  })
  const { per = null, action = null } = tightest?.limit ?? {}
  return { unit, written, per, action, limit, settled, reserved, held, remaining, overrun, resetsAt }
}
