import type { Connections, Listening } from './database/connections.ts'
import { STEERED_CHANNEL } from './transaction.ts'

/** Listens for scopes of the ledger that were steered by any process. */
export interface Listener {
  listen(wake: () => void): () => void
  /** Reconnects if the connection was lost. Called with every poll of the ledger. */
  ensure(): void
  stop(): void
}

/**
 * One connection for all listeners, opened with the first. It is only a shortcut: if it is lost, or a pooler drops its
 * notifications, the next poll finds the same changes.
 */
export function createListener(connections: Connections, schemaName: () => Promise<string>): Listener {
  const wakes = new Set<() => void>()
  let listening: Promise<Listening | null> | null = null
  let isStopped = false

  async function start(): Promise<Listening | null> {
    const schema = await schemaName()
    const hear = (payload: string): void => {
      if (payload === schema) for (const wake of [...wakes]) wake()
    }
    return connections.listen(STEERED_CHANNEL, hear, () => {
      listening = null
    })
  }

  function ensure(): void {
    if (isStopped || wakes.size === 0 || listening !== null) return
    listening = start().catch(() => {
      listening = null
      return null
    })
  }

  function close(): void {
    const open = listening
    listening = null
    void open?.then((each) => each?.stop())
  }

  return {
    ensure,
    listen(wake) {
      wakes.add(wake)
      ensure()
      return () => {
        wakes.delete(wake)
        if (wakes.size === 0) close()
      }
    },
    stop() {
      isStopped = true
      close()
    },
  }
}
