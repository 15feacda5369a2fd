import { suggestName, UnknownOptionError } from '../../core/index.ts'

// AI SDK settings come mixed with ours, and there will be new ones: only a near match can be meant for us.
const NEAR_MISS_SHARE = 0.25
const SHORTEST_NEAR_MISS = 4
// Settings of the AI SDK that are one letter away from ours.
const OF_THE_SDK: ReadonlySet<string> = new Set(['model', 'output'])

/** Throws `UnknownOptionError` for a setting that is a misspelling of one of ours and would otherwise be ignored. */
export function refuseNearMiss(place: string, settings: object, own: readonly string[]): void {
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined || own.includes(name) || OF_THE_SDK.has(name) || name.length < SHORTEST_NEAR_MISS) continue
    if (suggestName(name, own, NEAR_MISS_SHARE) !== null) throw new UnknownOptionError(place, name, own)
  }
}
