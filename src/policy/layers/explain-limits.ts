import { formatMaximum } from '../../core/amounts/format-maximum.ts'
import type { Action } from '../../core/limits/action.ts'
import type { Limit } from '../../core/limits/limit.ts'
import { describeSource, type Layer, type LimitSource } from '../../core/limits/limit-source.ts'
import type { Period } from '../../core/limits/window.ts'
import type { Meter } from '../../core/meter.ts'
import type { LimitStep, ResolvedLimits } from './resolved-limits.ts'

/** One effective limit: its maximum, its action, and where it was set. */
export interface ExplanationRow {
  readonly meter: Meter
  readonly max: number
  readonly maxText: string
  readonly per: Period | null
  readonly timeZone: string
  readonly action: Action
  readonly layer: Layer
  readonly place: string
  readonly source: LimitSource
  /** What it may be raised to, and where that was set; `null` if unbounded. */
  readonly ceiling: { readonly max: number; readonly maxText: string; readonly place: string } | null
  /** The limits that it overrides, nearest first. */
  readonly overrides: readonly { readonly layer: Layer; readonly place: string; readonly maxText: string }[]
  /** What was requested and did not take effect; `null` if nothing. */
  readonly note: string | null
}

/** Every effective limit with its layer and place, and the limits it overrides. */
export function explainLimits(resolved: ResolvedLimits): readonly ExplanationRow[] {
  return resolved.limits.map((limit) => ({
    meter: limit.meter,
    max: limit.max,
    maxText: formatMaximum(limit.meter, limit.max),
    per: limit.per,
    timeZone: limit.timeZone,
    action: limit.action,
    layer: limit.source.layer,
    place: describeSource(limit.source),
    source: limit.source,
    ceiling: ceilingOf(limit, resolved),
    overrides: overridesOf(limit, resolved),
    note: noteOf(limit, resolved),
  }))
}

/** The lowest ceiling of its meter and period, which no raise can pass. */
function ceilingOf(limit: Limit, { ceilings }: ResolvedLimits): ExplanationRow['ceiling'] {
  const [lowest] = ceilings
    .filter(({ meter, per }) => meter === limit.meter && per === limit.per)
    .toSorted((left, right) => left.max - right.max)
  if (lowest === undefined) return null
  const { max, source } = lowest
  return { max, maxText: formatMaximum(limit.meter, max), place: describeSource(source) }
}

function overridesOf(limit: Limit, { history, limits }: ResolvedLimits): ExplanationRow['overrides'] {
  const isSame = (step: LimitStep) => step.meter === limit.meter && (step.max === null || step.per === limit.per)
  const isInForce = (step: LimitStep) => limits.some(({ source }) => source === step.source)
  const position = history.findLastIndex((step) => isSame(step) && step.source === limit.source)
  return history
    .slice(0, Math.max(0, position))
    .filter((step) => isSame(step) && !isInForce(step))
    .map(({ max, source }) => ({
      layer: source.layer,
      place: describeSource(source),
      maxText: max === null ? 'unlimited' : formatMaximum(limit.meter, max),
    }))
    .reverse()
}

function noteOf(limit: Limit, resolved: ResolvedLimits): string | null {
  const messages = resolved.notices
    .filter(({ meter, per }) => meter === limit.meter && (per === 'any' || per === limit.per))
    .map(({ message }) => message)
  return messages.length === 0 ? null : messages.join(' ')
}
