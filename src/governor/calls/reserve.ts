import {
  type Amounts,
  assertAmounts,
  assertKnownOptions,
  optionNames,
  reportInPhase,
  reserveInPhase,
} from '../../core/index.ts'
import type { Refusal, Reservation } from '../call.ts'
import type { Scope } from '../governor.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import { reserveRoom } from './reserve-room.ts'
import type { CallInfo } from './room-request.ts'
import { releaseRoom, settleRoom } from './settle-room.ts'
import { assertWait } from './waiting/assert-wait.ts'

type ReserveOptions = NonNullable<Parameters<Scope['reserve']>[1]>

const RESERVE_OPTIONS = optionNames<ReserveOptions>({ waitMs: true, messages: true })

/** Reserves room for something the caller does itself. A refusal is only reported: acting on it is up to the caller. */
export async function reserve(
  runtime: ScopeRuntime,
  amounts: Amounts,
  options: ReserveOptions,
): Promise<Reservation | Refusal> {
  assertAmounts('reserve(amounts)', amounts)
  assertKnownOptions('scope.reserve', options, RESERVE_OPTIONS)
  const { clock, waitMs } = runtime.context
  const call: CallInfo = { call: 'other', name: null, startedAtMs: clock.monotonicMs() }
  const { messages } = options
  if (options.waitMs !== undefined) assertWait('reserve({ waitMs })', options.waitMs)
  const asked = reserveInPhase(amounts)
  const room = {
    amounts: asked,
    waitMs: options.waitMs ?? waitMs,
    call,
    ...(messages === undefined ? {} : { messages }),
  }
  const outcome = await reserveRoom(runtime, room)
  if (outcome.kind === 'refused') return outcome
  const { id } = outcome
  return {
    kind: 'granted',
    id,
    amounts: outcome.amounts,
    async settle(actual = null) {
      if (actual !== null) assertAmounts('settle(actual)', actual)
      await settleRoom(runtime, id, actual === null ? null : reportInPhase(asked, actual), call)
    },
    release: () => releaseRoom(runtime, id),
  }
}
