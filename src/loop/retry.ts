import { isStintError } from '../core/index.ts'
import type { Scope } from '../governor/index.ts'
import { sleep } from '../system/index.ts'

/**
 * `gone`: retrying this model is pointless. `busy`: it may answer later. `lost`: it may have answered, but the answer
 * did not arrive, so a retry may cost as much again. `null`: not the provider's fault.
 */
export type ProviderFault = 'gone' | 'busy' | 'lost' | null

/** Why a request failed, as far as a retry is concerned. */
export interface Failure {
  readonly fault: ProviderFault
  /** Whether the same request may succeed when it is sent again. */
  readonly isRetryable: boolean
  /** How long the provider asks to wait; `null` if it does not say, or asks for too long. */
  readonly waitMs: number | null
}

export interface ModelQueueOptions {
  readonly scope: Scope
  /** How many models there are. */
  readonly models: number
  /** How often a model is retried. */
  readonly retries: number
  /** The wait before the first retry if the provider does not name one; doubled for each further one. */
  readonly firstDelayMs: number
  /** Whether to retry here when no other model can help. Otherwise the caller does. */
  readonly retriesLast: boolean
  failureOf(error: unknown): Failure
  /** Whether a limit has ended the work, so that the closing call is what fails. */
  hasReachedLimit(): boolean
  /**
   * Called for each request that was answered (`null`), or that its provider failed or refused. A limit is not an
   * attempt.
   */
  onAttempt(place: number, error: unknown): void
  /** Called before the wait of `retriesLast`. */
  onRetry?(error: unknown, waitMs: number): void
}

/** Models in the order in which they are tried. */
export interface ModelQueue {
  /** The index of the current model. */
  current(): number
  ask<Answer>(signal: AbortSignal | undefined, send: (place: number) => PromiseLike<Answer>): Promise<Answer>
}

/**
 * Sends a request to the first model that answers. If a provider fails before it begins to answer, the next model is
 * tried, and later requests stay with that one. After a limit, a pause or an abort, no other model is tried.
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
          // A limit, a pause or an abort ended it, not the model.
          const isOver = isStintError(error) || signal?.aborted === true || scope.signal.aborted
          if (!isOver) onAttempt(place, error)
          const { fault, isRetryable, waitMs: askedMs } = options.failureOf(error)
          const waitMs = askedMs ?? firstDelayMs * 2 ** retry
          // After a limit the closing call is what fails: the limit ends the loop, even if another model could answer.
          const mayMoveOn = fault !== null && !isOver && !options.hasReachedLimit() && current < models - 1
          const mayRetry = mayMoveOn ? fault === 'busy' : retriesLast && isRetryable && scope.status() === 'running'
          if (mayRetry && retry < retries) {
            if (!mayMoveOn) options.onRetry?.(error, waitMs)
            await waitToRetry(waitMs, scope.signal, signal)
            retry++
          } else if (mayMoveOn) {
            // Another call of the same loop may have moved on before.
            current = Math.max(current, place + 1)
            retry = 0
          } else throw error
        }
      }
    },
  }
}

/**
 * Waits no longer than the scope may work: after that the next call is refused, or is the closing one. Throws if the
 * caller has cancelled.
 */
async function waitToRetry(waitMs: number, scopeSignal: AbortSignal, callSignal: AbortSignal | undefined) {
  await sleep(waitMs, callSignal === undefined ? scopeSignal : AbortSignal.any([callSignal, scopeSignal]))
  callSignal?.throwIfAborted()
}
