import type { Action } from '../core/action.ts'
import { assertKnownOptions, optionNames } from '../core/assert-known-options.ts'
import type { Limit } from '../core/limit.ts'
import type { ParsedLimits, SetEntry } from './parsed-limits.ts'
import { resolveLimits } from './resolve-limits.ts'
import { mergeKey } from './resolved-limits.ts'

/** What is written about the limits of a scope that has some already. */
export interface LimitsRewrite {
  /** Only the limits that they name change. */
  readonly layers: readonly ParsedLimits[]
  /** What no limit is raised above, beside the ceilings that the scope has. */
  readonly ceilings: readonly Limit[]
  /** What a limit does that is new and says nothing itself. Default: what the layers say. */
  readonly onLimit?: Action
}

const REWRITE = optionNames<LimitsRewrite>({ layers: true, ceilings: true, onLimit: true })

/**
 * The limits of a running scope after somebody has written some of them anew, up or down: never above an operator's
 * ceiling, and what is not written about a limit (its action, its thresholds, its time zone) stays as it was.
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
  // Where a limit is taken away, the ceiling that it was under is the limit.
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
