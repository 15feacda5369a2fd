import type { Layer } from '../../core/limits/limit-source.ts'
import type { ParsedLimits } from '../formats/parsed-limits.ts'

/** The layers that replace each other, weakest first. */
const RANKED_LAYERS: readonly Layer[] = ['defaults', 'preset', 'user', 'project', 'environment', 'call']

/** The parsed layers that replace each other, weakest first; within one layer, the later one wins. */
export function rankedLayers(parsed: readonly ParsedLimits[]): readonly ParsedLimits[] {
  return RANKED_LAYERS.flatMap((layer) => parsed.filter((limits) => limits.layer === layer))
}

/** Whether `left` is at least as strong as `right`. */
export function isAsStrong(left: Layer, right: Layer): boolean {
  return RANKED_LAYERS.indexOf(left) >= RANKED_LAYERS.indexOf(right)
}
