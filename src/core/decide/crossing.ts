import { isEnforced } from '../limits/action.ts'
import type { Limit } from '../limits/limit.ts'

/** What has been announced about a limit in one window, so that each crossing is announced once. A raise resets it. */
export interface Announced {
  /** The number of nearing thresholds. */
  readonly nearing: number
  /** 0: not exceeded; 1: exceeded; under `warn`, one more for each further 20 %. */
  readonly exceeded: number
  /** The names of the alert rules that were raised about it. */
  readonly alerts?: readonly string[]
}

export const NOTHING_ANNOUNCED: Announced = { nearing: 0, exceeded: 0 }

/** A threshold that was passed, or the limit itself. */
export type Crossing =
  | { readonly kind: 'nearing'; readonly threshold: number }
  | { readonly kind: 'exceeded' }
  /** Under `warn`: past the limit by this many fifths of it. */
  | { readonly kind: 'further'; readonly fifths: number }

/** A threshold or limit that was passed, announced once across all processes. */
export interface LimitCrossing {
  readonly scopeId: string
  readonly scopePath: string
  readonly limit: Limit
  readonly crossing: Crossing
  readonly settled: number
  readonly reserved: number
  readonly held: number
  readonly resetsAt: number | null
}

/** The settled amount from which `crossingsAt` returns something new. */
export function nextMark(limit: Limit, announced: Announced): number {
  const nearing = limit.nearing[announced.nearing]
  const exceeded = exceededMark(limit, announced)
  if (nearing === undefined || limit.max === 0) return exceeded
  // Rounded down: one check too many is better than missing a mark by a rounding error.
  return Math.min(Math.floor(nearing * limit.max), exceeded)
}

function exceededMark(limit: Limit, announced: Announced): number {
  if (announced.exceeded === 0) return limit.max + 1
  if (isEnforced(limit.action)) return Number.POSITIVE_INFINITY
  return furtherMark(limit.max, announced.exceeded)
}

function furtherMark(max: number, fifths: number): number {
  return max + Math.max(fifths, Math.ceil((max * fifths) / 5))
}

/**
 * What the settled amount has passed and that was not announced yet: each nearing threshold in order, then the limit,
 * then (under `warn`) how far past it, as one crossing however large the jump.
 */
export function crossingsAt(
  limit: Limit,
  settled: number,
  announced: Announced,
): { readonly crossings: readonly Crossing[]; readonly announced: Announced } {
  const crossings: Crossing[] = []
  let { nearing, exceeded } = announced
  while (nearing < limit.nearing.length && limit.max > 0 && settled / limit.max >= limit.nearing[nearing]!) {
    crossings.push({ kind: 'nearing', threshold: limit.nearing[nearing]! })
    nearing++
  }
  if (settled > limit.max) {
    const fifths = isEnforced(limit.action) ? 0 : fifthsPast(limit.max, settled)
    // However far the first step goes past the limit, it is one crossing.
    if (exceeded === 0) crossings.push({ kind: 'exceeded' })
    else if (fifths >= exceeded) crossings.push({ kind: 'further', fifths })
    exceeded = Math.max(exceeded, fifths + 1)
  }
  return { crossings, announced: { ...announced, nearing, exceeded } }
}

function fifthsPast(max: number, settled: number): number {
  const past = settled - max
  return max === 0 ? past : Math.min(past, Math.floor((past * 5) / max))
}
