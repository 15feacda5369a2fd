import {
  COUNTER_METERS,
  describeSource,
  type IncreaseRecord,
  METERS,
  type ReservationReading,
  usageRecord,
} from '../../core/index.ts'
import type { ScopeDetails } from '../scopes/scope-details.ts'
import { amountsView, meterKey } from './amounts-view.ts'
import { type LimitStanding, standingsOf } from './limit-standing.ts'

// The readings already include what is assumed. What only the scope's own process knows is left out.
const NOTHING_BESIDE = { clocks: null, messages: null, wholePath: false, assumed: [], refused: 0, atMs: 0 } as const

/** A scope: SCOPE in docs/reference/cli.md. */
export function scopeView(scope: ScopeDetails) {
  const {
    id,
    parentId,
    name,
    path,
    kind,
    status,
    owner,
    isOwnerAlive: isAlive,
    isOrphaned,
    labels,
    about,
    pause,
  } = scope
  const { openedAtMs, closedAtMs, activeMs, openChildren, revision } = scope
  return {
    id,
    parentId,
    name,
    path,
    kind,
    status,
    owner: owner === null ? null : { holder: owner, isAlive },
    isOrphaned,
    openedAtMs,
    closedAtMs,
    activeMs,
    openChildren,
    revision,
    labels,
    about,
    pause,
    totals: Object.fromEntries(
      COUNTER_METERS.map((meter) => [meterKey(meter), { assumed: 0, ...scope.totals[meter] }]),
    ),
    usage: usageRecord([scope], NOTHING_BESIDE),
    limits: standingsOf(scope).map(limitView),
  }
}

/** A limit and its state, in whole numbers of its unit. */
export function limitView(standing: LimitStanding) {
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
export function reservationView(reservation: ReservationReading) {
  const { reserved, charged, about, ...rest } = reservation
  return {
    ...rest,
    // The first attempt is stored without its number.
    about: about?.call === 'model' ? { attempt: 1, ...about } : about,
    reserved: amountsView(reserved),
    charged: charged === null ? null : amountsView(charged),
  }
}

/** A request for more. Its amounts are whole numbers of `unit`. */
export function requestView(request: IncreaseRecord) {
  return { ...request, unit: METERS[request.meter].unit }
}
