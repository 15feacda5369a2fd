import { type HoldAsk, isAmount, isElasticMeter } from '../../../core/index.ts'
import { isBelievableCount } from '../../../pricing/counting/believable-count.ts'
import type { ModelCallSpec, Refusal } from '../../call.ts'
import type { ScopeRuntime } from '../../scope/scope-runtime.ts'
import type { CallRecord } from '../call-record.ts'
import type { GrantedRoom, RoomRequest } from '../reserve-room.ts'
import { releaseRoom } from '../settle-room.ts'

const COUNT_WITHIN_MS = 2_000
// A count is the provider's own estimate of what it will charge.
const COUNT_MARGIN = 1.02
const COUNT_MARGIN_TOKENS = 300

/**
 * Asks for room, and where an estimate is the reason that there is none, or too little, asks again with the tokens that
 * the provider itself counts: once, and only where the call can be counted.
 */
export async function fitToCount(
  call: CallRecord,
  askFor: (spec: ModelCallSpec) => RoomRequest,
  reserve: (ask: RoomRequest) => Promise<GrantedRoom | Refusal>,
): Promise<GrantedRoom | Refusal> {
  const { runtime, spec, ask } = call
  if (spec.countTokens === undefined) return reserve(ask)
  const first = await reserve({ ...ask, isTentative: true })
  if (first.kind === 'granted' && !isCutShort(first, ask)) return first
  if (first.kind === 'refused' && !first.breaches.some(({ meter }) => isElasticMeter(meter))) return reserve(ask)
  const counted = await countWithin(runtime, spec)
  // Also where it counts more than was estimated: then the call would overrun what it was granted.
  if (counted === null || counted === spec.inputTokens) return first.kind === 'granted' ? first : reserve(ask)
  if (first.kind === 'granted') await releaseRoom(runtime, first.id, { hold: heldBefore(runtime) })
  call.spec = { ...spec, inputTokens: counted }
  call.ask = askFor(call.spec)
  return reserve(call.ask)
}

/** What is reserved for a prompt that the provider has counted. */
export function withCountMargin(count: number): number {
  return Math.ceil(count * COUNT_MARGIN) + COUNT_MARGIN_TOKENS
}

/** A conversation that was not admitted yet holds nothing until it is. */
function heldBefore({ conversation, closing }: ScopeRuntime): HoldAsk {
  const { holdAsk } = closing
  return conversation.isAdmitted && holdAsk !== null ? holdAsk : { wanted: {}, smallest: {} }
}

function isCutShort({ units }: GrantedRoom, { elastic }: RoomRequest): boolean {
  return elastic !== undefined && units < elastic.most
}

/** With a margin; `null` where the provider does not say, not in time, or says what cannot be. */
export async function countWithin({ context: { clock } }: ScopeRuntime, spec: ModelCallSpec): Promise<number | null> {
  if (spec.countTokens === undefined) return null
  const late = new AbortController()
  const cancel = clock.after(COUNT_WITHIN_MS, () => late.abort(), { unref: true })
  const tooLate = new Promise<null>((resolve) => late.signal.addEventListener('abort', () => resolve(null)))
  try {
    const count = await Promise.race([spec.countTokens({ signal: late.signal }), tooLate])
    if (!isAmount(count) || count === 0 || !isBelievableCount(count, spec)) return null
    // An estimate that the count does not reach is confirmed by it: the smaller of the two margins will do.
    return count <= spec.inputTokens ? Math.min(spec.inputTokens, withCountMargin(count)) : withCountMargin(count)
  } catch {
    return null
  } finally {
    cancel()
  }
}
