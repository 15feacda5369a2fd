import { type AgingMap, createAgingMap } from '../../core/index.ts'
import type { SizeRatios } from '../../pricing/estimate/learned-tokens.ts'

/** How accurate estimates of prompts were, by model and calling program. */
export type LearnedSizes = AgingMap<SizeRatios>

const MOST_KINDS = 1_000

/** In memory only. */
export function createLearnedSizes(): LearnedSizes {
  return createAgingMap(MOST_KINDS)
}

/** What was learned of a kind of prompt: in this scope, or otherwise anywhere. */
export function ratiosOf(kind: string, own: LearnedSizes, elsewhere?: LearnedSizes): SizeRatios {
  return own.get(kind) ?? elsewhere?.get(kind) ?? []
}
