import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'
import type { Action } from '../../core/limits/action.ts'
import type { Limit } from '../../core/limits/limit.ts'
import { resolveLimits } from '../layers/resolve-limits.ts'
import { mergeKey } from '../layers/resolved-limits.ts'
import type { ParsedLimits, SetEntry } from './parsed-limits.ts'

/** A change to the limits of a running scope. */
export interface LimitsRewrite {
  /** Limits that these don't name stay as they are. */
  readonly layers: readonly ParsedLimits[]
  /** No limit is raised above these, nor above the scope's own ceilings. */
  readonly ceilings: readonly Limit[]
  /** The action of a new limit that doesn't name one. Default: the layers' action. */
  readonly onLimit?: Action
}

const REWRITE = optionNames<LimitsRewrite>({ layers: true, ceilings: true, onLimit: true })

/**
 * The limits of a running scope after some of them were raised or lowered: never above an operator's ceiling, and
 * what the change doesn't mention (a limit's action, thresholds, time zone) stays as it was.
 */
export function rewriteLimits(present: readonly Limit[], rewrite: LimitsRewrite): readonly Limit[] {
  assertKnownOptions('rewriteLimits', rewrite, REWRITE)
  const { layers, ceilings, onLimit } = rewrite
  const { limits: written, removed } = resolveLimits(layers)
  const own = present.filter((limit) => !isCeiling(limit))
  const standing = present.filter(isCeiling)
  const isRemoved = ({ meter }: Limit): boolean => removed.some((each) => each.meter === meter)
  const kept = own.filter((old) => !isRemoved(old) && !written.some((next) => isSame(old, next)))
  const changed = written.map((next): Limit => {
    const most = [...ceilings, ...standing].filter((ceiling) => isSame(ceiling, next)).map(({ max }) => max)
    const old = own.find((limit) => isSame(limit, next))
    return { ...completed(next, old, layers, onLimit), max: Math.min(next.max, ...most) }
  })
  // Where a limit is removed, its ceiling becomes the limit.
  const bared = ceilings.filter((ceiling) => isRemoved(ceiling) && !standing.some((limit) => isSame(limit, ceiling)))
  return [...kept, ...changed, ...standing, ...bared]
}

function completed(
  next: Limit,
  old: Limit | undefined,
  layers: readonly ParsedLimits[],
  onLimit: Action | undefined,
): Limit {
  const layer = layers.findLast(({ entries }) => entries.some(({ source }) => source === next.source))
  const entry = layer?.entries.find(({ source }) => source === next.source) as SetEntry | undefined
  return {
    ...next,
    action: entry?.action ?? layer?.onLimit?.action ?? old?.action ?? onLimit ?? next.action,
    nearing: entry?.nearing ?? layer?.nearing?.thresholds ?? old?.nearing ?? next.nearing,
    timeZone: entry?.timeZone ?? layer?.timeZone?.name ?? old?.timeZone ?? next.timeZone,
  }
}

function isCeiling({ source }: Limit): boolean {
  return source.layer === 'ceiling'
}

function isSame(left: Limit, right: Limit): boolean {
  return mergeKey(left) === mergeKey(right)
}
