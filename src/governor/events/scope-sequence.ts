/** Numbers the events of each scope from 1. */
export interface ScopeSequence {
  next(scope: string): number
  /** No more events of this scope are expected: its number may be dropped after a while. */
  end(scope: string): void
}

/** Remembers every open scope, and the last `maxEnded` that ended, since calls in flight may still settle on them. */
export function createScopeSequence(maxEnded = 10_000): ScopeSequence {
  const last = new Map<string, number>()
  const ended = new Set<string>()
  return {
    next(scope) {
      const seq = (last.get(scope) ?? 0) + 1
      last.set(scope, seq)
      return seq
    },
    end(scope) {
      ended.add(scope)
      if (ended.size <= maxEnded) return
      const [oldest] = ended
      ended.delete(oldest!)
      last.delete(oldest!)
    },
  }
}
