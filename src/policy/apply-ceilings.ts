import { isEnforced } from '../core/action.ts'
import type { Limit } from '../core/limit.ts'
import { describeSource } from '../core/limit-source.ts'
import { formatMaximum } from './format-maximum.ts'
import { mergeKey, type Notice, type RemovedLimit } from './resolved-limits.ts'

/** What holds under the ceilings, and which of them took the place of a limit or of none. */
export interface UnderCeilings {
  readonly limits: readonly Limit[]
  readonly applied: readonly Limit[]
  readonly notices: readonly Notice[]
}

/**
 * Holds every limit under its ceiling. Where nobody wrote a limit, the ceiling is the limit. Where the limit only
 * warns and the ceiling does not, both hold: a warning must not take the place of an operator's stop.
 */
export function applyCeilings(
  limits: readonly Limit[],
  ceilings: readonly Limit[],
  removed: readonly RemovedLimit[],
): UnderCeilings {
  const kept = new Map(limits.map((limit) => [mergeKey(limit), limit]))
  const beside: Limit[] = []
  const applied: Limit[] = []
  const notices: Notice[] = []
  for (const ceiling of ceilings) {
    const key = mergeKey(ceiling)
    const limit = kept.get(key)
    if (limit !== undefined && limit.max <= ceiling.max) {
      if (!isEnforced(limit.action) && isEnforced(ceiling.action)) beside.push(ceiling)
      continue
    }
    kept.set(key, ceiling)
    applied.push(ceiling)
    const removal = removed.find(({ meter }) => meter === ceiling.meter)
    if (limit !== undefined) notices.push(noticeOf(ceiling, limit.source, formatMaximum(limit.meter, limit.max)))
    else if (removal !== undefined) notices.push(noticeOf(ceiling, removal.source, 'unlimited'))
  }
  return { limits: [...kept.values(), ...beside], applied, notices }
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
