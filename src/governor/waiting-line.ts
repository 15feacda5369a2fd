/** Somebody who waits for room. */
export interface Waiter {
  /** The scopes on which there was not enough room when it last asked. */
  readonly blockedOn: readonly string[]
  /** Asks again; `true` if it is done waiting, one way or the other. */
  tryAgain(): Promise<boolean>
}

/** Those who wait, first come first served for each scope. */
export interface WaitingLine {
  readonly length: number
  /** Whether somebody waits already for one of these scopes. */
  isAwaited(scopeIds: readonly string[]): boolean
  join(waiter: Waiter): void
  leave(waiter: Waiter): void
  /** Something may have come free on these scopes: lets those who wait for them ask again, in order. */
  wake(scopeIds: readonly string[]): void
}

/**
 * Wakes run one after the other. In each, the first who waits for a scope asks first; if it still has no room, those
 * behind it who wait for the same scope keep waiting, so that a large call is not starved by small ones.
 */
export function createWaitingLine(): WaitingLine {
  const line = new Set<Waiter>()
  const freed = new Set<string>()
  let isRunning = false

  async function run(): Promise<void> {
    while (freed.size > 0 && line.size > 0) {
      const scopes = new Set(freed)
      freed.clear()
      const stillBlocked = new Set<string>()
      for (const waiter of [...line]) {
        if (!line.has(waiter) || !waiter.blockedOn.some((id) => scopes.has(id))) continue
        if (waiter.blockedOn.some((id) => stillBlocked.has(id))) continue
        if (await waiter.tryAgain()) line.delete(waiter)
        else for (const id of waiter.blockedOn) stillBlocked.add(id)
      }
    }
    freed.clear()
    isRunning = false
  }

  return {
    get length() {
      return line.size
    },
    isAwaited: (scopeIds) => {
      if (line.size === 0) return false
      for (const waiter of line) if (waiter.blockedOn.some((id) => scopeIds.includes(id))) return true
      return false
    },
    join: (waiter) => line.add(waiter),
    leave: (waiter) => line.delete(waiter),
    wake(scopeIds) {
      if (line.size === 0) return
      for (const id of scopeIds) freed.add(id)
      if (isRunning) return
      isRunning = true
      void run()
    },
  }
}
