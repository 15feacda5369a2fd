import type { Connections, Listening } from './database/connections.ts'
import { STEERED_CHANNEL } from './transaction.ts'

/** Hears when a scope of the ledger was steered, by any process. */
export interface Listener {
  listen(wake: () => void): () => void
  /** Tries again where the connection was lost. Called whenever the ledger is polled. */
  ensure(): void
  stop(): void
}

/**
 * One connection for all that listen, opened when the first does. It is only a shortcut: where it is lost, or a pooler
 * swallows what it should hear, the next poll finds the same.
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
