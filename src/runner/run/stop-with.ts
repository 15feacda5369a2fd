import type { Scope } from '../../governor/index.ts'

/** Stops a scope when a signal says so: running tools are stopped, and what there is is handed back. */
export function stopWith(signal: AbortSignal | undefined, scope: Scope): () => void {
  if (signal === undefined) return () => {}
  const stop = (): void => {
    // That the store does not hear of it changes nothing here: the scope stops at once.
    scope.stop('interrupted').catch(() => {})
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return () => signal.removeEventListener('abort', stop)
}
