import { isStintError } from '../core/index.ts'
import type { Scope } from '../governor/index.ts'
import { sleep } from '../system/index.ts'

/**
 * `gone`: asking this model again is no use. `busy`: it may answer in a while. `lost`: it may have answered, and that
 * didn't arrive: asking it again may cost as much again. `null`: the provider is not to blame.
 */
export type ProviderFault = 'gone' | 'busy' | 'lost' | null

/** Why a request failed, as far as another one goes. */
export interface Failure {
  readonly fault: ProviderFault
  /** Whether the same request may succeed when it is sent again. */
  readonly isRetryable: boolean
  /** How long the provider asks to wait; `null` where it does not say, or asks for too long. */
  readonly waitMs: number | null
}

export interface ModelQueueOptions {
  readonly scope: Scope
  /** How many models there are. */
  readonly models: number
  /** How often a model is asked again. */
  readonly retries: number
  /** The wait before the first retry where the provider says none; twice as long before each further one. */
  readonly firstDelayMs: number
  /** Whether what no other model can help with is asked again here. Otherwise the caller sees to that. */
  readonly retriesLast: boolean
  failureOf(error: unknown): Failure
  /** Whether a limit has ended the work, so that what fails is the closing call. */
  hasReachedLimit(): boolean
  /** Told of each request that was answered (`null`), or that its provider failed or refused. Limits are no attempts. */
  onAttempt(place: number, error: unknown): void
  /** Told before the wait of `retriesLast`. */
  onRetry?(error: unknown, waitMs: number): void
}

/** Models in the order in which they are asked. */
export interface ModelQueue {
  /** The place of the model that is asked now. */
  current(): number
  ask<Answer>(signal: AbortSignal | undefined, send: (place: number) => PromiseLike<Answer>): Promise<Answer>
}

/**
 * Sends a request to the first model that answers. Where a provider fails before it has begun to answer, the next model
 * is asked, and later requests stay with that one. A limit, a pause or an abort is never followed by another model.
 */
export function createModelQueue(options: ModelQueueOptions): ModelQueue {
  const { scope, models, retries, firstDelayMs, retriesLast, onAttempt } = options
  let current = 0
  return {
    current: () => current,
    async ask(signal, send) {
      for (let retry = 0; ; ) {
        const place = current
        try {
          const answer = await send(place)
          onAttempt(place, null)
          return answer
        } catch (error) {
          // Not who was asked, but a limit, a pause or an abort ended it.
          const isOver = isStintError(error) || signal?.aborted === true || scope.signal.aborted
          if (!isOver) onAttempt(place, error)
          const { fault, isRetryable, waitMs: askedMs } = options.failureOf(error)
          const waitMs = askedMs ?? firstDelayMs * 2 ** retry
          // What fails after a limit is the closing call: the limit is why the loop ends, whoever might still answer.
          const mayMoveOn = fault !== null && !isOver && !options.hasReachedLimit() && current < models - 1
          const mayRetry = mayMoveOn ? fault === 'busy' : retriesLast && isRetryable && scope.status() === 'running'
          if (mayRetry && retry < retries) {
            if (!mayMoveOn) options.onRetry?.(error, waitMs)
            await waitToRetry(waitMs, scope.signal, signal)
            retry++
          } else if (mayMoveOn) {
            // Another call of the same loop may have gone on before.
            current = Math.max(current, place + 1)
            retry = 0
          } else throw error
        }
      }
    },
  }
}

/**
 * Waits no longer than the scope may work: the next call is refused then, or it is the closing one. Throws where the
 * caller has called it off.
 */
async function waitToRetry(waitMs: number, scopeSignal: AbortSignal, callSignal: AbortSignal | undefined) {
  await sleep(waitMs, callSignal === undefined ? scopeSignal : AbortSignal.any([callSignal, scopeSignal]))
  callSignal?.throwIfAborted()
}
