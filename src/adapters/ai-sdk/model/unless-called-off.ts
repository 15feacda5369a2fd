import { onAbort } from '../../../governor/edge.ts'
import { CallNotSentError } from '../../../governor/index.ts'

/**
 * Waits for a call to be admitted, unless its caller goes away first: then nothing is sent. Once sent, the call itself
 * observes the signal.
 */
export async function unlessCalledOff<Outcome>(
  signal: AbortSignal | undefined,
  start: (begin: () => void) => Promise<Outcome>,
): Promise<Outcome> {
  if (signal === undefined) return start(() => {})
  let hasBegun = false
  let callOff: (reason: unknown) => void = () => {}
  const calledOff = new Promise<never>((_, reject) => {
    callOff = reject
  })
  const stopWaiting = (): void => {
    if (!hasBegun) callOff(signal.reason)
  }
  const begin = (): void => {
    if (signal.aborted) throw new CallNotSentError(signal.reason)
    hasBegun = true
  }
  signal.throwIfAborted()
  // Many waiting agents may share one signal.
  const forget = onAbort(signal, stopWaiting)
  try {
    return await Promise.race([start(begin), calledOff])
  } finally {
    forget()
  }
}
