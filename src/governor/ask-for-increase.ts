import { balanceKey, type EventName, type Limit } from '../core/index.ts'
import { applyLimits } from './apply-limits.ts'
import type { IncreaseRequest, OpenIncrease } from './increase.ts'
import type { ScopeRuntime } from './scope-runtime.ts'
import { headerFor } from './tell.ts'
import { UnknownRequestError } from './unknown-request-error.ts'

const EXPIRES_AFTER_MS = 3_600_000

/** Asks for more of a limit. There is one open request for each limit: whoever asks later joins it. */
export function askForIncrease(
  runtime: ScopeRuntime,
  limit: Limit,
  ask: { readonly asked: number; readonly settled: number; readonly reason: string },
): OpenIncrease {
  const { context } = runtime
  const key = balanceKey(runtime.id, limit)
  const known = [...context.increases.values()].find((each) => each.key === key && each.request.status === 'open')
  if (known !== undefined) return known
  const nowMs = context.clock.wallMs()
  const request: IncreaseRequest = {
    id: context.createId(),
    scopeId: runtime.id,
    scopePath: runtime.path,
    meter: limit.meter,
    per: limit.per,
    limit: limit.max,
    ...ask,
    status: 'open',
    granted: null,
    by: null,
    openedAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + EXPIRES_AFTER_MS).toISOString(),
    answeredAt: null,
  }
  const { promise, resolve } = deferred()
  const cancelExpiry = context.clock.after(EXPIRES_AFTER_MS, () => finish(runtime, increase, 'expired', null, null), {
    unref: true,
  })
  const increase: OpenIncrease = { request, key, answered: promise, answer: resolve, cancelExpiry }
  context.increases.set(request.id, increase)
  const { reason, expiresAt } = request
  context.hub.emit({ ...increaseFields(runtime, 'increase_requested', request), reason, expires_at: expiresAt })
  return increase
}

/** Gives more: all that was asked, or a part, and never more than the scopes above have left. */
export async function approveIncrease(
  runtime: ScopeRuntime,
  increase: OpenIncrease,
  amount: number,
  by: string | null,
): Promise<IncreaseRequest> {
  const limit = runtime.limits.find((each) => balanceKey(runtime.id, each) === increase.key)
  const granted = limit === undefined ? 0 : Math.min(amount, await roomAbove(runtime, limit))
  if (limit === undefined || granted === 0) return finish(runtime, increase, 'denied', by, null)
  const source = { layer: 'grant', written: limit.source.written, call: 'governor.approve' } as const
  const raised = { ...limit, max: limit.max + granted, source }
  await applyLimits(runtime, [...runtime.limits.filter((each) => each !== limit), raised], by)
  return finish(runtime, increase, 'approved', by, granted)
}

/** Says no: what the limit does then is what it does without asking. */
export function denyIncrease(runtime: ScopeRuntime, increase: OpenIncrease, by: string | null): IncreaseRequest {
  return finish(runtime, increase, 'denied', by, null)
}

/** Whether more was given; `false` as well when whoever asked must stop. */
export function answerOf(increase: OpenIncrease, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const stop = (): void => resolve(false)
    signal.addEventListener('abort', stop, { once: true })
    void increase.answered.then((isGranted) => {
      signal.removeEventListener('abort', stop)
      resolve(isGranted)
    })
  })
}

/** The requests of a scope that has ended are answered: nobody is there to be given more. */
export function denyAllOf(runtime: ScopeRuntime): void {
  for (const increase of runtime.context.increases.values()) {
    if (increase.request.scopeId === runtime.id) finish(runtime, increase, 'denied', null, null)
  }
}

/** The request that waits under this id, or `UnknownRequestError`. */
export function openIncrease(context: ScopeRuntime['context'], requestId: string): OpenIncrease {
  const increase = context.increases.get(requestId)
  if (increase === undefined || increase.request.status !== 'open') throw new UnknownRequestError(requestId)
  return increase
}

function finish(
  runtime: ScopeRuntime,
  increase: OpenIncrease,
  status: 'approved' | 'denied' | 'expired',
  by: string | null,
  granted: number | null,
): IncreaseRequest {
  const { context } = runtime
  const answeredAt = new Date(context.clock.wallMs()).toISOString()
  const request: IncreaseRequest = { ...increase.request, status, by, granted, answeredAt }
  increase.request = request
  increase.cancelExpiry()
  context.increases.delete(request.id)
  if (status === 'approved') {
    context.hub.emit({ ...increaseFields(runtime, 'increase_granted', request), granted: granted ?? 0, by })
  } else if (status === 'denied') {
    context.hub.emit({ ...increaseFields(runtime, 'increase_denied', request), reason: 'denied', by })
  } else context.hub.emit(increaseFields(runtime, 'increase_expired', request))
  increase.answer(status === 'approved')
  return request
}

/** How much more a limit may be raised before the scopes above could not pay for it. */
async function roomAbove(runtime: ScopeRuntime, limit: Limit): Promise<number> {
  const { store, clock } = runtime.context
  const readings = (await store.read({ scopeId: runtime.id, atMs: clock.wallMs() })) ?? []
  const remaining = (scopes: typeof readings): readonly number[] =>
    scopes.flatMap(({ limits }) =>
      limits.filter((each) => each.limit.meter === limit.meter).map((each) => each.remaining),
    )
  const above = Math.min(...remaining(readings.slice(0, -1)))
  const own = Math.min(...remaining(readings.slice(-1)))
  return Math.max(0, above - own)
}

function increaseFields<Name extends EventName & `increase_${string}`>(
  runtime: ScopeRuntime,
  event: Name,
  { id, meter, limit, settled, asked }: IncreaseRequest,
) {
  return { ...headerFor(runtime, event), request: id, limit_kind: meter, limit, used: settled, asked }
}

function deferred(): { promise: Promise<boolean>; resolve: (value: boolean) => void } {
  let resolve: (value: boolean) => void = () => {}
  const promise = new Promise<boolean>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
