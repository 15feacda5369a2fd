import { formatMaximum } from '../../core/amounts/format-maximum.ts'
import { covers, hasSameWindows } from '../../core/decide/covers.ts'
import { isEnforced } from '../../core/limits/action.ts'
import type { Limit } from '../../core/limits/limit.ts'
import { describeSource, type LimitSource } from '../../core/limits/limit-source.ts'
import { PERIODS, type Period } from '../../core/limits/window.ts'
import type { Meter } from '../../core/meter.ts'
import type { ParsedLimits, SetEntry } from '../formats/parsed-limits.ts'
import { mergeKey, type Notice } from './resolved-limits.ts'

/** The limits after a model has lowered some, and those that it changed. */
export interface ModelLimits {
  readonly limits: readonly Limit[]
  readonly applied: readonly Limit[]
  readonly notices: readonly Notice[]
}

/**
 * Lets a model lower limits, but never raise or remove one, change an action or a time zone, or go below a floor.
 * `complete` turns an entry into a new limit where there is none to lower. Limits over other windows are not
 * comparable and stay as they are.
 */
export function applyModelLimits(
  limits: readonly Limit[],
  model: ParsedLimits,
  floors: readonly Limit[],
  complete: (entry: SetEntry) => Limit,
): ModelLimits {
  const result = [...limits]
  const applied: Limit[] = []
  const notices: Notice[] = []
  for (const entry of model.entries) {
    if (entry.kind === 'removal') {
      notices.push(notAllowed(entry.meter, `A model may not remove the limit on ${entry.meter}.`, entry.source))
      continue
    }
    const floor = floorOf(entry, floors)
    const max = Math.max(entry.max, floor?.max ?? 0)
    const current = result.filter((limit) => mergeKey(limit) === mergeKey(entry))
    const meant = current.find((limit) => !isCeiling(limit)) ?? complete(entry)
    const comparable = current.filter((limit) => hasSameWindows(limit, meant))
    // A ceiling that only warns is lowered only if there is no other limit.
    const stopping = comparable.filter((limit) => !isWarningCeiling(limit))
    const lowerable = stopping.length === 0 ? comparable : stopping
    if (lowerable.some((limit) => max >= limit.max)) {
      notices.push(notLower(entry, Math.min(...lowerable.map((limit) => limit.max))))
      continue
    }
    if (floor !== null && max > entry.max) notices.push(raisedToFloor(entry, floor))
    // Lower than both a warning and the ceiling next to it: one limit is left, with the action that stops.
    const strictest = lowerable.find((limit) => isEnforced(limit.action)) ?? lowerable[0]
    const own = strictest === undefined ? complete({ ...entry, max }) : lowered(strictest, max, entry.source)
    const isReplaced = (limit: Limit) => current.includes(limit) && (isCeiling(limit) ? covers(own, limit) : true)
    notices.push(...notTaken(entry, own))
    result.splice(0, result.length, own, ...result.filter((limit) => !isReplaced(limit)))
    applied.push(own)
  }
  if (model.onLimit !== null) {
    notices.push(notAllowed(null, 'A model may not change what happens at a limit.', model.onLimit.source))
  }
  return { limits: result, applied, notices }
}

function lowered(limit: Limit, max: number, source: LimitSource): Limit {
  return { ...limit, max, source: { ...source, lowers: limit.source.lowers ?? limit.source.layer } }
}

/** The highest floor for this entry. A floor over the whole life applies to every period, others to theirs and longer. */
function floorOf(entry: SetEntry, floors: readonly Limit[]): Limit | null {
  const binding = floors.filter(
    ({ meter, per }) => meter === entry.meter && (per === null || lengthOf(entry.per) >= lengthOf(per)),
  )
  return binding.reduce<Limit | null>((highest, floor) => (floor.max > (highest?.max ?? -1) ? floor : highest), null)
}

function lengthOf(per: Period | null): number {
  return per === null ? PERIODS.length : PERIODS.indexOf(per)
}

function isCeiling(limit: Limit): boolean {
  return limit.source.layer === 'ceiling'
}

function isWarningCeiling(limit: Limit): boolean {
  return isCeiling(limit) && !isEnforced(limit.action)
}

function notAllowed(meter: Meter | null, message: string, source: LimitSource): Notice {
  return { kind: 'model-not-allowed', meter, per: 'any', message, source }
}

/** Notices for settings of an entry that the lowered limit does not take over. */
function notTaken(entry: SetEntry, own: Limit): readonly Notice[] {
  const { meter, per, source, action, timeZone } = entry
  const notice = (what: string, kept: string, asked: string): Notice => ({
    kind: 'model-not-allowed',
    meter,
    per,
    message: `A model may not change ${what}: ${meter} keeps ${kept} (${describeSource(source)} asks for ${asked}).`,
    source,
  })
  const isOtherZone = timeZone !== null && !hasSameWindows({ ...own, timeZone }, own)
  return [
    ...(action === null || action === own.action ? [] : [notice('what happens at a limit', own.action, action)]),
    ...(isOtherZone ? [notice('the time zone of a limit', own.timeZone, timeZone)] : []),
  ]
}

function notLower(entry: SetEntry, currentMax: number): Notice {
  const { meter, per, source } = entry
  const asked = formatMaximum(meter, entry.max)
  const current = formatMaximum(meter, currentMax)
  const message = `A model may only lower a limit: ${meter} stays ${current} (${describeSource(source)} asks for ${asked}).`
  return { kind: 'model-not-lower', meter, per, message, source }
}

function raisedToFloor(entry: SetEntry, floor: Limit): Notice {
  const { meter, per, source } = entry
  const message = `${describeSource(source)} asks for ${formatMaximum(meter, entry.max)}; the floor is ${formatMaximum(meter, floor.max)} (${describeSource(floor.source)}).`
  return { kind: 'model-raised-to-floor', meter, per, message, source }
}
