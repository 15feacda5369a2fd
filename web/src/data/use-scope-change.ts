import { useEffect } from 'preact/hooks'
import type { Live } from './live.ts'

const EVERY_MS = 1000

/** Calls back when the stream has changed a scope, at most once a second and only while the page is seen. */
export function useScopeChange({ tree }: Live, id: string, onChange: () => void): void {
  // A new function does not restart the interval: all of them reload the same.
  useEffect(() => {
    let seen = tree.scopes.get(id)
    const timer = setInterval(() => {
      const now = tree.scopes.get(id)
      if (now === seen || document.visibilityState !== 'visible') return
      seen = now
      onChange()
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [tree, id])
}
