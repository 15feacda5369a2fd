import type { Clock } from '../../core/index.ts'
import type { AnyRequest } from './address-of.ts'

/** The server's time, which every process uses instead of its own clock. */
export interface ServerClock {
  /** The server's time has just arrived. */
  note(serverMs: number): void
  /** The request with its times converted to the server's clock. */
  moved<Request extends AnyRequest>(request: Request): Request
}

// A smaller difference is the time that the answer took.
const SMALLEST_STEP_MS = 250

const TIMES = ['atMs', 'expiresAtMs', 'endedSinceMs'] as const

export function createServerClock(clock: Clock): ServerClock {
  let aheadMs = 0
  return {
    note(serverMs) {
      const nowAheadMs = serverMs - clock.wallMs()
      if (Math.abs(nowAheadMs - aheadMs) >= SMALLEST_STEP_MS) aheadMs = nowAheadMs
    },
    moved(request) {
      if (aheadMs === 0) return request
      const moved = { ...request } as Record<string, unknown>
      for (const field of TIMES) {
        const time = moved[field]
        if (typeof time === 'number') moved[field] = Math.max(0, time + aheadMs)
      }
      return moved as unknown as typeof request
    },
  }
}
