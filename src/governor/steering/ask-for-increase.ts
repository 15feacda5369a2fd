import { balanceKey, type IncreaseRecord, type Limit } from '../../core/index.ts'
import { onAnyAbort } from '../calls/ends/on-abort.ts'
import { isPassing } from '../calls/pending-writes.ts'
import { isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'
import { answerIncrease, increaseFields } from './answer-increase.ts'
import { hearAnswer } from './answer-request.ts'
import { type OpenIncrease, requestFromRecord } from './increase.ts'

const EXPIRES_AFTER_MS = 3_600_000

/** What is requested, and why. */
export interface IncreaseAsk {
  readonly asked: number
  readonly settled: number
  readonly reason: string
  /** The amount is a default, so it is reduced to what an approval could grant. */
  readonly mayBeCut?: boolean
}

/**
 * Requests an increase of a limit. Each limit has at most one open request over all processes: later callers join it.
 * `null`: the scope has ended, or no longer has this limit.
 */
export async function askForIncrease(
  runtime: ScopeRuntime,
  limit: Limit,
  ask: IncreaseAsk,
): Promise<OpenIncrease | null> {
  const { asking, increases } = runtime.context
  const key = balanceKey(runtime.id, limit)
  const known = [...increases.values()].find((each) => each.key === key && each.request.status === 'open')
  if (known !== undefined) return known
  const onItsWay = asking.get(key)
  if (onItsWay !== undefined) return onItsWay
  const asked = askStore(runtime, key, ask).finally(() => asking.delete(key))
  asking.set(key, asked)
  return asked
}

async function askStore(runtime: ScopeRuntime, key: string, ask: IncreaseAsk): Promise<OpenIncrease | null> {
  const { clock, createId, hub, store } = runtime.context
  const atMs = clock.wallMs()
  const requestId = createId()
  const expiresAtMs = atMs + EXPIRES_AFTER_MS
  const outcome = await store.ask({ requestId, scopeId: runtime.id, key, ...ask, expiresAtMs, atMs })
  // The scope ended while the store was asked: the store denied the request with it, and nothing here would answer it.
  if (outcome.kind === 'unknown' || !isLiving(runtime)) return null
  const increase = waitForAnswer(runtime, outcome.request, outcome.kind === 'asked')
  if (outcome.kind === 'asked') {
    const { request } = increase
    const { reason, expiresAt } = request
    hub.emit({ ...increaseFields(runtime, 'increase_requested', request), reason, expires_at: expiresAt })
  }
  return increase
}

/** Tracks a request here until any process answers it, or it expires. */
function waitForAnswer(runtime: ScopeRuntime, record: IncreaseRecord, isOurs: boolean): OpenIncrease {
  const { clock, increases } = runtime.context
  const { promise, resolve } = deferred()
  const increase: OpenIncrease = {
    request: requestFromRecord(record),
    key: record.key,
    isOurs,
    paused: new Map(),
    answered: promise,
    answer: resolve,
    cancelExpiry: clock.after(Math.max(0, record.expiresAtMs - clock.wallMs()), () => expire(runtime, increase), {
      unref: true,
    }),
  }
  increases.set(record.id, increase)
  return increase
}

/** The request has expired. The store knows whether it was answered in time; if it cannot say, it was not. */
async function expire(runtime: ScopeRuntime, increase: OpenIncrease): Promise<void> {
  const { clock, pendingWrites, store } = runtime.context
  const answer = { requestId: increase.request.id, verdict: 'expired', atMs: clock.wallMs() } as const
  try {
    const outcome = await store.answer(answer)
    if (outcome.kind !== 'unknown') await hearAnswer(runtime.context, outcome.request)
  } catch (error) {
    if (isPassing(error)) pendingWrites.add(() => store.answer(answer))
  }
  answerIncrease(runtime, increase, { status: 'expired', by: null })
}

/** Whether an increase was granted; `false` also if the caller must stop, by any of the signals. */
export function answerOf(increase: OpenIncrease, signals: readonly (AbortSignal | undefined)[]): Promise<boolean> {
  if (signals.some((signal) => signal?.aborted === true)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const callOff = onAnyAbort(signals, () => resolve(false))
    void increase.answered.then((isGranted) => {
      callOff()
      resolve(isGranted)
    })
  })
}

function deferred(): { promise: Promise<boolean>; resolve: (value: boolean) => void } {
  let resolve: (value: boolean) => void = () => {}
  const promise = new Promise<boolean>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
