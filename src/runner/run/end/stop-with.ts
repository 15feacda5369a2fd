import type { Scope } from '../../../governor/index.ts'

/** Stops a scope when a signal is aborted: running tools are stopped, and the output so far is returned. */
export function stopWith(signal: AbortSignal | undefined, scope: Scope): () => void {
  if (signal === undefined) return () => {}
  const stop = (): void => {
    // The scope stops at once, even if the store cannot be updated.
    scope.stop('interrupted').catch(() => {})
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return () => signal.removeEventListener('abort', stop)
}
