import { CallNotSentError } from './ends/call-reach.ts'

/** Throws `CallNotSentError` where whoever asks has gone away: nothing is sent or run for nobody. */
export function assertCallerThere(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new CallNotSentError(signal.reason)
}
