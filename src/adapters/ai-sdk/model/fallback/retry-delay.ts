import { setTimeout } from 'node:timers/promises'
import { APICallError } from 'ai'

const LONGEST_DELAY_MS = 60_000

/**
 * Waits before a model is asked again: as long as its provider says, else twice as long each time, as the AI SDK does.
 * Throws where whoever asked has called it off. It waits no longer than the scope may work: the next call is refused
 * then, or it is the closing one.
 */
export async function waitToRetry(
  error: unknown,
  options: {
    readonly retry: number
    readonly firstDelayMs: number
    readonly scopeSignal: AbortSignal
    readonly callSignal: AbortSignal | undefined
  },
): Promise<void> {
  const { retry, firstDelayMs, scopeSignal, callSignal } = options
  const signal = callSignal === undefined ? scopeSignal : AbortSignal.any([callSignal, scopeSignal])
  try {
    await setTimeout(toldDelayMs(error) ?? firstDelayMs * 2 ** retry, undefined, { signal })
  } catch {
    callSignal?.throwIfAborted()
  }
}

function toldDelayMs(error: unknown): number | null {
  const headers = (APICallError.isInstance(error) ? error.responseHeaders : undefined) ?? {}
  const inMs = Number(headers['retry-after-ms'] ?? Number.NaN)
  const delayMs = Number.isNaN(inMs) ? Number(headers['retry-after'] ?? Number.NaN) * 1_000 : inMs
  return delayMs >= 0 && delayMs <= LONGEST_DELAY_MS ? delayMs : null
}
