import { APICallError } from 'ai'
import { sleep } from '../../system/index.ts'
import type { LanguageModelV3 } from './language-model.ts'
import { modelWith } from './model-with.ts'

const MOST_RETRIES = 2
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

export interface RetryOptions {
  /** Ends every wait: the next attempt is then what a limit makes of it. */
  readonly signal: AbortSignal
  /** Whether another attempt would be let in at all: not in a run that the last one has paused or ended. */
  readonly mayRetry?: () => boolean
  readonly onRetry?: (error: Error, waitMs: number) => void
}

/**
 * A model that is asked again where its provider says that this may help, as the AI SDK does it, with one difference:
 * nobody waits for a retry when the time of the scope is up, and the closing call is not kept waiting either.
 */
export function retriedModel(model: LanguageModelV3, options: RetryOptions): LanguageModelV3 {
  return modelWith(model, {
    doGenerate: (asked) => retried(() => model.doGenerate(asked), options),
    doStream: (asked) => retried(() => model.doStream(asked), options),
  })
}

async function retried<Answer>(ask: () => PromiseLike<Answer>, options: RetryOptions): Promise<Answer> {
  for (let retry = 0; ; retry++) {
    try {
      return await ask()
    } catch (error) {
      if (retry >= MOST_RETRIES || !APICallError.isInstance(error) || !error.isRetryable) throw error
      if (options.mayRetry?.() === false) throw error
      const waitMs = waitBefore(error, FIRST_WAIT_MS * 2 ** retry)
      options.onRetry?.(error, waitMs)
      await sleep(waitMs, options.signal)
    }
  }
}

/** What the provider asks for, where that is bearable. */
function waitBefore({ responseHeaders = {} }: APICallError, otherwiseMs: number): number {
  const asked = Number(responseHeaders['retry-after-ms'] ?? Number(responseHeaders['retry-after'] ?? Number.NaN) * 1000)
  return asked >= 0 && asked < LONGEST_WAIT_MS ? asked : otherwiseMs
}
