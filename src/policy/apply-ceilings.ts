import { covers, hasSameWindows, isAtLeastAsHard } from '../core/covers.ts'
import { formatMaximum } from '../core/format-maximum.ts'
import type { Limit } from '../core/limit.ts'
import { describeSource } from '../core/limit-source.ts'
import { mergeKey, type Notice, type RemovedLimit } from './resolved-limits.ts'

/** What holds under the ceilings, and which of them took the place of a limit or of none. */
export interface UnderCeilings {
  readonly limits: readonly Limit[]
  readonly applied: readonly Limit[]
  readonly notices: readonly Notice[]
}

/**
 * Holds every limit under its ceilings. Where nobody wrote a limit, the ceiling is the limit. A ceiling only ever
 * tightens: it takes the place of a limit that it covers, and stands beside one that it does not (a limit that stops
 * where the ceiling only warns, or the days of another time zone), unless that one covers the ceiling.
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
