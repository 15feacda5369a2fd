import { type HoldAsk, isAmount, isElasticMeter } from '../../../core/index.ts'
import { isBelievableCount } from '../../../pricing/estimate/counting/believable-count.ts'
import type { ModelCallSpec, Refusal } from '../../call.ts'
import type { ScopeRuntime } from '../../scope/scope-runtime.ts'
import { beginCallRecord, type CallRecord } from '../call-record.ts'
import type { GrantedRoom, RoomRequest } from '../room-request.ts'
import { releaseRoom } from '../settle-room.ts'

const COUNT_WITHIN_MS = 2_000
// A count is the provider's own estimate of what it will charge.
const COUNT_MARGIN = 1.02
const COUNT_MARGIN_TOKENS = 300

/**
 * Requests room. If an estimate is why there is none or too little, requests it again with the provider's token count:
 * once, and only if the call can be counted.
 */
export async function fitToCount(
  call: CallRecord,
  reserve: (runtime: ScopeRuntime, ask: RoomRequest) => Promise<GrantedRoom | Refusal>,
): Promise<GrantedRoom | Refusal> {
  const { runtime, spec, ask, isTalk, priced } = call
  const first = await reserve(runtime, { ...ask, isTentative: true })
  if (first.kind === 'granted' && !isCutShort(first, ask)) return first
  if (first.kind === 'refused' && !first.breaches.some(({ meter }) => isElasticMeter(meter)))
    return reserve(runtime, ask)
  const counted = await countWithin(runtime, spec)
  // Also if it counts more than estimated: otherwise the call would exceed its grant.
  if (counted === null || counted === spec.inputTokens) return first.kind === 'granted' ? first : reserve(runtime, ask)
  if (first.kind === 'granted') await releaseRoom(runtime, first.id, { hold: heldBefore(runtime) })
  const { isClosing, waitMs } = ask
  Object.assign(
    call,
    beginCallRecord(runtime, { ...spec, inputTokens: counted }, priced.price, { isTalk, isClosing, waitMs }),
  )
  return reserve(runtime, call.ask)
}

/** What is reserved for a prompt that the provider has counted. */
export function withCountMargin(count: number): number {
  return Math.ceil(count * COUNT_MARGIN) + COUNT_MARGIN_TOKENS
}

/** A conversation holds nothing until it is admitted. */
function heldBefore({ conversation, closing }: ScopeRuntime): HoldAsk {
  const { holdAsk } = closing
  return conversation.isAdmitted && holdAsk !== null ? holdAsk : { wanted: {}, smallest: {} }
}

function isCutShort({ units }: GrantedRoom, { elastic }: RoomRequest): boolean {
  return elastic !== undefined && units < elastic.most
}

/** The count plus a margin; `null` if the provider gives none in time, or an impossible one. */
export async function countWithin({ context: { clock } }: ScopeRuntime, spec: ModelCallSpec): Promise<number | null> {
  if (spec.countTokens === undefined) return null
  const late = new AbortController()
  const cancel = clock.after(COUNT_WITHIN_MS, () => late.abort(), { unref: true })
  const tooLate = new Promise<null>((resolve) => late.signal.addEventListener('abort', () => resolve(null)))
  try {
    const count = await Promise.race([spec.countTokens({ signal: late.signal }), tooLate])
    if (!isAmount(count) || count === 0 || !isBelievableCount(count, spec)) return null
    // A count below the estimate confirms the estimate: the smaller of the two margins is enough.
    return count <= spec.inputTokens ? Math.min(spec.inputTokens, withCountMargin(count)) : withCountMargin(count)
  } catch {
    return null
  } finally {
    cancel()
  }
}
