import {
  COUNTER_METERS,
  describeSource,
  type IncreaseRecord,
  METERS,
  type ReservationReading,
  type ScopeReading,
  usageRecord,
} from '../../core/index.ts'
import { amountsJson, meterKey } from './amount-text.ts'
import { type LimitStanding, standingsOf } from './limit-standing.ts'

// What is assumed is in the readings already; what only the process knows that runs a scope is not known here.
const NOTHING_BESIDE = { clocks: null, messages: null, wholePath: false, assumed: [], refused: 0, atMs: 0 } as const

/** A scope as `--json` shows it: the shape that docs/reference/cli.md promises. */
export function scopeJson(scope: ScopeReading, isOwnerAlive: boolean | null): object {
  const { id, parentId, name, path, kind, status, owner, isOrphaned, labels, pause } = scope
  const { openedAtMs, closedAtMs, activeMs, openChildren, revision } = scope
  return {
    id,
    parentId,
    name,
    path,
    kind,
    status,
    owner: owner === null ? null : { holder: owner, isAlive: isOrphaned ? false : isOwnerAlive },
    isOrphaned,
    openedAtMs,
    closedAtMs,
    activeMs,
    openChildren,
    revision,
    labels,
    pause,
    totals: Object.fromEntries(
      COUNTER_METERS.map((meter) => [meterKey(meter), { assumed: 0, ...scope.totals[meter] }]),
    ),
    usage: usageRecord([scope], NOTHING_BESIDE),
    limits: standingsOf(scope).map(limitJson),
  }
}

/** A limit and how it stands: whole numbers of its unit. */
export function limitJson(standing: LimitStanding): object {
  const { limit, settled, assumed, reserved, held, remaining, overrun, resetsAt, isCounted } = standing
  const { meter, max, per, timeZone, action, nearing, source } = limit
  return {
    meter,
    unit: METERS[meter].unit,
    limit: max,
    per,
    timeZone: per === null ? null : timeZone,
    action,
    nearing,
    isCounted,
    settled,
    assumed,
    reserved,
    held,
    remaining,
    overrun,
    resetsAt,
    layer: source.layer,
    place: describeSource(source),
    source,
  }
}

/** A reservation, with units in the names of its amounts. */
export function reservationJson(reservation: ReservationReading): object {
  const { reserved, charged, ...rest } = reservation
  return { ...rest, reserved: amountsJson(reserved), charged: charged === null ? null : amountsJson(charged) }
}

/** A request for more. Its amounts are whole numbers of `unit`. */
export function requestJson(request: IncreaseRecord): object {
  return { ...request, unit: METERS[request.meter].unit }
}
