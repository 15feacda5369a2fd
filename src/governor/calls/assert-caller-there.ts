import { CallNotSentError } from './ends/call-reach.ts'

/** Throws `CallNotSentError` if the caller has gone away. */
export function assertCallerThere(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new CallNotSentError(signal.reason)
}
