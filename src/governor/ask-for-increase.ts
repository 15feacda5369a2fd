import { balanceKey, isCounterMeter, isEnforced, type Limit } from '../core/index.ts'
import { answerIncrease, increaseFields } from './answer-increase.ts'
import { applyLimits } from './apply-limits.ts'
import type { IncreaseRequest, OpenIncrease } from './increase.ts'
import type { ScopeRuntime } from './scope-runtime.ts'
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
  const cancelExpiry = context.clock.after(
    EXPIRES_AFTER_MS,
    () => answerIncrease(runtime, increase, { status: 'expired', by: null }),
    {
      unref: true,
    },
  )
  const increase: OpenIncrease = {
    request,
    key,
    isTaken: false,
    paused: new Map(),
    answered: promise,
    answer: resolve,
    cancelExpiry,
  }
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
  increase.isTaken = true
  try {
    const most = await roomAbove(runtime, increase.request)
    const limit = runtime.limits.find((each) => balanceKey(runtime.id, each) === increase.key)
    const granted = limit === undefined ? 0 : Math.min(amount, most)
    if (limit === undefined || granted === 0) return answerIncrease(runtime, increase, { status: 'denied', by })
    const source = { layer: 'grant', written: limit.source.written, call: 'governor.approve' } as const
    const raised = { ...limit, max: limit.max + granted, source }
    await applyLimits(runtime, [...runtime.limits.filter((each) => each !== limit), raised], by)
    return answerIncrease(runtime, increase, { status: 'approved', granted, by })
  } finally {
    increase.isTaken = false
  }
}

/** Says no: what the limit does then is what it does without asking. */
export function denyIncrease(runtime: ScopeRuntime, increase: OpenIncrease, by: string | null): IncreaseRequest {
  return answerIncrease(runtime, increase, { status: 'denied', by })
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
    if (increase.request.scopeId === runtime.id) answerIncrease(runtime, increase, { status: 'denied', by: null })
  }
}

/** The request that waits under this id, or `UnknownRequestError`. */
export function openIncrease(context: ScopeRuntime['context'], requestId: string): OpenIncrease {
  const increase = context.increases.get(requestId)
  if (increase === undefined || increase.isTaken) throw new UnknownRequestError(requestId)
  return increase
}

/** How much more of a counter may be given before the scopes above could not pay for it. */
async function roomAbove(runtime: ScopeRuntime, { meter }: IncreaseRequest): Promise<number> {
  if (!isCounterMeter(meter)) return Number.MAX_SAFE_INTEGER
  const { store, clock } = runtime.context
  const readings = (await store.read({ scopeId: runtime.id, atMs: clock.wallMs() })) ?? []
  const remaining = (scopes: typeof readings): readonly number[] =>
    scopes.flatMap(({ limits }) =>
      limits.filter(({ limit }) => limit.meter === meter && isEnforced(limit.action)).map((each) => each.remaining),
    )
  const above = Math.min(...remaining(readings.slice(0, -1)))
  const own = Math.min(...remaining(readings.slice(-1)))
  return Math.max(0, above - own)
}

function deferred(): { promise: Promise<boolean>; resolve: (value: boolean) => void } {
  let resolve: (value: boolean) => void = () => {}
  const promise = new Promise<boolean>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
