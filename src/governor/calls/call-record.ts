import { assertWholeNumber } from '../../core/index.ts'
import { elasticOf } from '../../pricing/call/elastic-call.ts'
import { fillCall, type ResolvedCall } from '../../pricing/call/model-call.ts'
import type { ModelPrice } from '../../pricing/index.ts'
import type { CallReport, ModelCallSpec } from '../call.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import type { GrantedRoom, RoomRequest } from './room-request.ts'
import type { CountedCharge } from './settle-room.ts'
import { assertWait } from './waiting/assert-wait.ts'
import { roomForClosing } from './wrap-up/room-for-closing.ts'

/** One model call, from request to settlement. Admission, run and settlement each fill in their part. */
export interface CallRecord {
  /** The scope that pays. */
  readonly runtime: ScopeRuntime
  /** As requested, and later with the input tokens that the provider counted. */
  spec: ModelCallSpec
  /** The same with its price and all defaults. */
  priced: ResolvedCall
  /** Whether it is part of its scope's conversation, which ends with a closing call. */
  readonly isTalk: boolean
  /** What it requests of the path. */
  ask: RoomRequest
  readonly progress: CallProgress
  /** What has been charged for it so far. */
  readonly charged: CountedCharge
}

/** A call that was admitted. */
export interface AdmittedCall extends CallRecord {
  readonly room: GrantedRoom
}

/** What is known of a call while it runs. */
export interface CallProgress {
  hasFirstByte: boolean
  reported: CallReport
  /** The thinking budget it was sent with. */
  thinkingBudget: number | null
}

/** The kind of call: part of a conversation, whose closing call must stay affordable, or that closing call. */
export interface CallKind {
  readonly isTalk?: boolean
  readonly isClosing?: boolean | undefined
  readonly waitMs?: number
}

/** Starts the record of a call. Throws `InvalidCallError` for invalid counts or texts. */
export function beginCallRecord(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  price: ModelPrice | null,
  { isTalk = false, isClosing = false, waitMs = spec.waitMs ?? runtime.context.waitMs }: CallKind = {},
): CallRecord {
  const { clock } = runtime.context
  if (spec.waitMs !== undefined) assertWait('callModel({ waitMs })', spec.waitMs)
  if (spec.attempt !== undefined) {
    assertWholeNumber('callModel({ attempt })', spec.attempt, 1, Number.MAX_SAFE_INTEGER)
  }
  const priced = fillCall(spec, price)
  const startedAtMs = clock.monotonicMs()
  const plan = isTalk ? roomForClosing(runtime.conversation, spec, priced, startedAtMs) : null
  const { fixed, elastic } = elasticOf(priced, plan?.floor)
  const ask: RoomRequest = {
    amounts: spec.toolCalls === undefined ? fixed : { ...fixed, toolCalls: spec.toolCalls },
    elastic,
    hold: plan?.hold,
    messages: spec.messages,
    waitMs,
    isClosing,
    signal: spec.signal,
    comesAgain: spec.comesAgain,
    withLeft: spec.withLeft,
    call: {
      call: 'model',
      name: spec.model ?? price?.model ?? null,
      ...providerOf(spec, price),
      phase: priced.phase,
      ...(spec.attempt === undefined ? {} : { attempt: spec.attempt }),
      outputTokens: spec.maxOutputTokens,
      ...(spec.hint === undefined ? {} : { hint: spec.hint }),
      startedAtMs,
    },
  }
  const progress = { hasFirstByte: false, reported: {}, thinkingBudget: null }
  return { runtime, spec, priced, isTalk, ask, progress, charged: { amounts: {} } }
}

function providerOf({ provider }: ModelCallSpec, price: ModelPrice | null): { readonly provider?: string } {
  const known = provider ?? price?.provider ?? undefined
  return known === undefined ? {} : { provider: known }
}
