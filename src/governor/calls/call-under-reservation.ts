import {
  type Amounts,
  assertKnownOptions,
  COUNTER_METERS,
  type CounterMeter,
  isStintError,
  unitsWithin,
} from '../../core/index.ts'
import type { DoneCall, ModelAnswer, ModelCallSpec, ModelGrant, StoppedCall } from '../call.ts'
import { lookAtScope } from '../scope/find-scope.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import { accountCarried, valueIn } from './account-call.ts'
import { grantFor, requestFor } from './call-model.ts'
import { type AdmittedCall, admitted, beginCallRecord } from './call-record.ts'
import { countWithin } from './closing/fit-to-count.ts'
import { runWithSignal } from './ends/run-with-signal.ts'
import { stoppedOutcome } from './ends/stopped-outcome.ts'
import type { FoundReservation } from './find-reservation.ts'
import { MODEL_CALL_SPEC } from './model-call-spec.ts'
import { priceForCall } from './price-for-call.ts'
import type { RoomRequest } from './reserve-room.ts'

/**
 * Makes a model call under room that a process below this scope has set aside for it, and charges it from the answer.
 * `null`: the reservation does not cover the call's worst case on every meter at the prices of this governor, so that
 * it must be asked for like any other. Its output is cut to what was set aside.
 */
export async function callUnderReservation<Value>(
  runtime: ScopeRuntime,
  reservation: FoundReservation,
  spec: ModelCallSpec,
  run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
): Promise<DoneCall<Value> | StoppedCall | null> {
  assertKnownOptions('callUnderReservation', spec, MODEL_CALL_SPEC)
  const payer = await lookAtScope(runtime.context, reservation.scopeId)
  const call = payer === null ? null : await admittedAsCounted(payer, reservation, spec)
  if (call === null) return null
  const grant = grantFor(call, runtime)
  // The run that the key belongs to works meanwhile, and ends what is in flight when it ends.
  const end = await runWithSignal(runtime, { isClosing: true }, (signal) => run({ ...grant, signal }))
  await accountCarried(call, end)
  if (end.kind === 'abandoned') void end.late.then((late) => accountCarried(call, late)).catch(() => {})
  if (end.kind !== 'done') return stoppedOutcome(runtime, end, false)
  const { units } = call.room
  return { kind: 'done', value: valueIn(end.value), clampedTo: units < spec.maxOutputTokens ? units : null }
}

/**
 * Who made the reservation may have had the prompt counted. So where our estimate of it would refuse the call or cut its
 * output, the provider is asked first, once.
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

/** The call as the reservation lets it in; `null` where that does not cover it. */
function admittedUnder(
  payer: ScopeRuntime,
  { id, amounts }: FoundReservation,
  asked: ModelCallSpec,
): AdmittedCall | null {
  // Which phase it is counted on, only who made the reservation has said.
  const spec: ModelCallSpec = (amounts.planningCost ?? 0) > 0 ? { ...asked, phase: 'planning' } : asked
  const price = priceOrRefusal(payer, spec)
  if (price === 'refused') return null
  const ask = requestFor(payer, spec, price)
  const units = unitsCovered(amounts, ask)
  if (units < 1) return null
  const call = beginCallRecord({ runtime: payer, spec, price, isTalk: false, ask })
  return admitted(call, { kind: 'granted', id, amounts, units, left: null })
}

type Price = AdmittedCall['price']

function priceOrRefusal(payer: ScopeRuntime, spec: ModelCallSpec): Price | 'refused' {
  try {
    return priceForCall(payer, spec).price
  } catch (error) {
    if (isStintError(error, 'unpriced_model')) return 'refused'
    throw error
  }
}

/**
 * How much output the reservation pays for beside what the call takes in any case, on every meter; 0 where it does not
 * even cover that. Our estimate of a prompt may be some tokens above that of who made it: the output is cut by so many.
 */
function unitsCovered(reserved: Amounts, { amounts: fixed, elastic }: RoomRequest): number {
  const left = (meter: CounterMeter): number => (reserved[meter] ?? 0) - (fixed[meter] ?? 0)
  if (elastic === undefined || COUNTER_METERS.some((meter) => left(meter) < 0)) return 0
  return Math.min(elastic.most, ...elastic.rates.map((rate) => unitsWithin(rate, left(rate.meter), elastic.most)))
}
