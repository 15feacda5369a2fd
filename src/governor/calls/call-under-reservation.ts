import {
  type Amounts,
  assertKnownOptions,
  COUNTER_METERS,
  type CounterMeter,
  isStintError,
  unitsWithin,
} from '../../core/index.ts'
import type { ModelPrice } from '../../pricing/index.ts'
import type { CallOutcome, ModelAnswer, ModelCallSpec, ModelGrant, Refusal } from '../call.ts'
import { lookAtScope } from '../scope/find-scope.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import { accountCarried } from './account-call.ts'
import { grantFor } from './call-model.ts'
import { type AdmittedCall, beginCallRecord } from './call-record.ts'
import { runWithSignal } from './ends/run-with-signal.ts'
import { stoppedOutcome } from './ends/stopped-outcome.ts'
import type { FoundReservation } from './find-reservation.ts'
import { MODEL_CALL_SPEC } from './model-call-spec.ts'
import { priceForCall } from './price-for-call.ts'
import type { RoomRequest } from './room-request.ts'
import { countWithin } from './wrap-up/fit-to-count.ts'

/**
 * Makes a model call under a reservation that a process below this scope made, and charges it from the answer. `null`:
 * the reservation does not cover the call's worst case on every meter at this governor's prices, so reserve as usual.
 * The output is capped at what was reserved.
 */
export async function callUnderReservation<Value>(
  runtime: ScopeRuntime,
  reservation: FoundReservation,
  spec: ModelCallSpec,
  run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
): Promise<Exclude<CallOutcome<Value>, Refusal> | null> {
  assertKnownOptions('callUnderReservation', spec, MODEL_CALL_SPEC)
  const payer = await lookAtScope(runtime.context, reservation.scopeId)
  const call = payer === null ? null : await admittedAsCounted(payer, reservation, spec)
  if (call === null) return null
  const grant = grantFor(call, runtime)
  // The run that the key belongs to is working meanwhile, and stops what is in flight when it ends.
  const end = await runWithSignal(runtime, { isClosing: true }, (signal) => run({ ...grant, signal }))
  await accountCarried(call, end)
  if (end.kind === 'abandoned') void end.late.then((late) => accountCarried(call, late)).catch(() => {})
  if (end.kind !== 'done') return stoppedOutcome(runtime, end, false)
  const { units } = call.room
  return { kind: 'done', value: end.value?.value, clampedTo: units < spec.maxOutputTokens ? units : null }
}

/**
 * The process that reserved may have had the prompt counted. So before our estimate refuses the call or lowers its
 * output cap, ask the provider once.
 */
async function admittedAsCounted(
  payer: ScopeRuntime,
  reservation: FoundReservation,
  spec: ModelCallSpec,
): Promise<AdmittedCall | null> {
  const estimated = admittedUnder(payer, reservation, spec)
  if (estimated !== null && estimated.room.units >= spec.maxOutputTokens) return estimated
  const inputTokens = await countWithin(payer, spec)
  return inputTokens === null ? estimated : admittedUnder(payer, reservation, { ...spec, inputTokens })
}

/** The call as the reservation admits it; `null` if it is not covered. */
function admittedUnder(
  payer: ScopeRuntime,
  { id, amounts }: FoundReservation,
  asked: ModelCallSpec,
): AdmittedCall | null {
  // Only the process that reserved knows which phase the call counts on.
  const spec: ModelCallSpec = (amounts.planningCost ?? 0) > 0 ? { ...asked, phase: 'planning' } : asked
  const price = priceOrRefusal(payer, spec)
  if (price === 'refused') return null
  const call = beginCallRecord(payer, spec, price)
  const units = unitsCovered(amounts, call.ask)
  return units < 1 ? null : { ...call, room: { kind: 'granted', id, amounts, units, left: null } }
}

function priceOrRefusal(payer: ScopeRuntime, spec: ModelCallSpec): ModelPrice | null | 'refused' {
  try {
    return priceForCall(payer, spec).price
  } catch (error) {
    if (isStintError(error, 'unpriced_model')) return 'refused'
    throw error
  }
}

/**
 * How much output the reservation pays for after the fixed part of the call, on every meter; 0 if it does not cover
 * even that. Our estimate of the prompt may be a few tokens higher than the reserving process's: the output is lowered
 * by as many.
 */
function unitsCovered(reserved: Amounts, { amounts: fixed, elastic }: RoomRequest): number {
  const left = (meter: CounterMeter): number => (reserved[meter] ?? 0) - (fixed[meter] ?? 0)
  if (elastic === undefined || COUNTER_METERS.some((meter) => left(meter) < 0)) return 0
  return Math.min(elastic.most, ...elastic.rates.map((rate) => unitsWithin(rate, left(rate.meter), elastic.most)))
}
