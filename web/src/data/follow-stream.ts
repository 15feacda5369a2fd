import type { StreamEvents } from '../../../src/server/contract.ts'
import { sendApi } from './call-api.ts'
import { isSignedOut } from './refused-error.ts'
import { serverEvents } from './server-event.ts'

export type StreamEvent = {
  readonly [Name in keyof StreamEvents]: { readonly event: Name; readonly data: StreamEvents[Name] }
}[keyof StreamEvents]

export interface Following {
  /** Loads everything again; returns the cursor from which to follow. */
  load(signal: AbortSignal): Promise<string>
  apply(event: StreamEvent): void
  /** `live`: what is shown is current. */
  onState(state: 'connecting' | 'live' | 'away'): void
  onSignedOut(): void
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 10_000

/** Follows the stream until `signal` aborts: resumes it where it was cut, and starts over where the server says so. */
export async function followStream({ load, apply, onState, onSignedOut }: Following, signal: AbortSignal) {
  let cursor: string | null = null
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    try {
      cursor ??= await load(signal)
      const { body } = await sendApi('GET /api/stream', { query: { since: cursor }, signal })
      if (body === null) throw new Error('The stream has no body.')
      onState('live')
      waitMs = FIRST_WAIT_MS
      for await (const { id, event, data } of serverEvents(body)) {
        if (event === 'reset') {
          cursor = null
          break
        }
        apply({ event, data: JSON.parse(data) } as StreamEvent)
        cursor = id ?? cursor
      }
      if (cursor === null) continue
    } catch (error) {
      if (signal.aborted) return
      if (isSignedOut(error)) return onSignedOut()
    }
    onState('away')
    await pause(waitMs, signal)
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      // A laptop that wakes up, or a network that is back: no need to wait any longer.
      removeEventListener('online', done)
      resolve()
    }
    signal.addEventListener('abort', done)
    addEventListener('online', done)
  })
}
