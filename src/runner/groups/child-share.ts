import { isCounterMeter, type Meter } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { tagParsedLimits } from '../../policy/formats/parsed-limits.ts'
import { onlyTightens, type ParsedLimits, type SetEntry } from '../../policy/index.ts'
import type { Share } from './chain/chain.ts'
import { StepError } from './step/step-error.ts'

// Agents share what they spend. Their number is decided when they are admitted.
const UNSHARED: readonly Meter[] = ['spawns']

/** The limits of each child's share of the pool; never more than the child's own. */
export async function shareLimits(
  scope: Scope,
  share: Share | null,
  children: number,
): Promise<readonly ParsedLimits[]> {
  if (share === null) return []
  return [onlyTightens(share === 'equal' ? await equalShare(scope, children) : share)]
}

/** What is left of each limited counter, divided by their number. */
async function equalShare(scope: Scope, children: number): Promise<ParsedLimits> {
  const remaining = await edgeOf(scope).remainingOnPath()
  const entries = [...remaining].flatMap(([meter, left]): readonly SetEntry[] => {
    if (!isCounterMeter(meter) || UNSHARED.includes(meter)) return []
    const max = Math.floor(left / children)
    if (max === 0) {
      throw new StepError(
        `share is equal, and ${left} of ${meter} is not enough for ${children} agents. Raise that limit of "${scope.path}", or start fewer.`,
      )
    }
    const source = { layer: 'call', written: meter, field: 'share', call: `the group "${scope.name}"` } as const
    return [{ kind: 'set', meter, max, per: null, timeZone: null, action: null, nearing: null, source }]
  })
  return tagParsedLimits({ layer: 'call', entries, onLimit: null, nearing: null, timeZone: null })
}
