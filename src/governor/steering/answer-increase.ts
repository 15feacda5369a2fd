import type { EventName } from '../../core/index.ts'
import { headerFor } from '../events/emit.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import type { IncreaseRequest, OpenIncrease } from './increase.ts'

/** The answer to a request: `granted` is the increase. */
export type Answer =
  | { readonly status: 'approved'; readonly granted: number; readonly by: string | null }
  | { readonly status: 'denied' | 'expired'; readonly by: string | null }

/**
 * Closes a request, once: the scopes paused for it continue or end, and then its waiters get the answer. A second
 * answer changes nothing.
 */
export function answerIncrease(runtime: ScopeRuntime, increase: OpenIncrease, answer: Answer): IncreaseRequest {
  if (increase.request.status !== 'open') return increase.request
  const { clock, increases } = runtime.context
  const { status, by } = answer
  const granted = answer.status === 'approved' ? answer.granted : null
  const answeredAt = new Date(clock.wallMs()).toISOString()
  increase.request = { ...increase.request, status, by, granted, answeredAt }
  increase.cancelExpiry()
  increases.delete(increase.request.id)
  if (increase.isOurs) emitAnswer(runtime, increase.request, answer)
  for (const goOn of increase.paused.values()) goOn(status === 'approved')
  increase.answer(status === 'approved')
  return increase.request
}

/** Closes the requests of a scope that has ended as denied. The store has done so already. */
export function denyAllOf(runtime: ScopeRuntime): void {
  for (const increase of requestsOf(runtime)) answerIncrease(runtime, increase, { status: 'denied', by: null })
}

/** Drops the requests of a scope that continues elsewhere: they stay open there, and nothing waits for them here. */
export function forgetAllOf(runtime: ScopeRuntime): void {
  for (const increase of requestsOf(runtime)) {
    increase.cancelExpiry()
    runtime.context.increases.delete(increase.request.id)
    increase.answer(false)
  }
}

function requestsOf({ context, id }: ScopeRuntime): readonly OpenIncrease[] {
  return [...context.increases.values()].filter(({ request }) => request.scopeId === id)
}

/** The common fields of an event about a request. */
export function increaseFields<Name extends EventName & `increase_${string}`>(
  runtime: ScopeRuntime,
  event: Name,
  { id, meter, per, limit, settled, asked }: IncreaseRequest,
) {
  const written = runtime.limits.find((each) => each.meter === meter && each.per === per)?.source.written
  const about = { limit_kind: meter, limit_name: written ?? meter, limit, used: settled, asked }
  return { ...headerFor(runtime, event), request: id, ...about }
}

function emitAnswer(runtime: ScopeRuntime, request: IncreaseRequest, answer: Answer): void {
  const { hub } = runtime.context
  const { by } = answer
  if (answer.status === 'approved') {
    hub.emit({ ...increaseFields(runtime, 'increase_granted', request), granted: answer.granted, by })
  } else if (answer.status === 'denied') {
    hub.emit({ ...increaseFields(runtime, 'increase_denied', request), reason: 'denied', by })
  } else hub.emit(increaseFields(runtime, 'increase_expired', request))
}
