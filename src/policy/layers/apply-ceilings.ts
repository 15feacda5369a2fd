import { formatMaximum } from '../../core/amounts/format-maximum.ts'
import { covers, hasSameWindows, isAtLeastAsHard } from '../../core/decide/covers.ts'
import type { Limit } from '../../core/limits/limit.ts'
import { describeSource } from '../../core/limits/limit-source.ts'
import { mergeKey, type Notice, type RemovedLimit } from './resolved-limits.ts'

/** The limits under the ceilings, and the ceilings that became limits. */
export interface UnderCeilings {
  readonly limits: readonly Limit[]
  readonly applied: readonly Limit[]
  readonly notices: readonly Notice[]
}

/**
 * Keeps every limit under its ceilings. Where no limit is set, the ceiling is the limit. A ceiling only tightens: it
 * replaces a limit that it covers, and is added next to one that it doesn't cover (a limit that stops where the ceiling
 * only warns, or one that counts days in another time zone), unless that limit covers the ceiling.
 */
export function applyCeilings(
  limits: readonly Limit[],
  ceilings: readonly Limit[],
  removed: readonly RemovedLimit[],
): UnderCeilings {
  const own = new Map(limits.map((limit) => [mergeKey(limit), limit]))
  const replaced = new Set<Limit>()
  const standing: Limit[] = []
  const applied: Limit[] = []
  const notices: Notice[] = []
  for (const ceiling of ceilings) {
    const limit = own.get(mergeKey(ceiling))
    if (limit !== undefined && covers(limit, ceiling)) continue
    standing.push(ceiling)
    const removal = removed.find(({ meter }) => meter === ceiling.meter)
    const isCut = limit !== undefined && ceiling.max < limit.max && isAtLeastAsHard(ceiling, limit)
    if (isCut) notices.push(noticeOf(ceiling, limit.source, formatMaximum(limit.meter, limit.max)))
    else if (limit === undefined && removal !== undefined) notices.push(noticeOf(ceiling, removal.source, 'unlimited'))
    if (limit === undefined || (isCut && hasSameWindows(ceiling, limit))) applied.push(ceiling)
    if (isCut && hasSameWindows(ceiling, limit)) replaced.add(limit)
  }
  return { limits: [...limits.filter((limit) => !replaced.has(limit)), ...standing], applied, notices }
}

function noticeOf(ceiling: Limit, source: Limit['source'], asked: string): Notice {
  const allowed = formatMaximum(ceiling.meter, ceiling.max)
  return {
    kind: 'ceiling-applied',
    meter: ceiling.meter,
    per: ceiling.per,
    message: `${describeSource(source)} asks for ${asked}; the ceiling allows ${allowed} (${describeSource(ceiling.source)}).`,
    source,
  }
}
