import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { ProviderTurn } from '../provider-turn.ts'
import type { Chunk } from './pieces.ts'

export interface Sent {
  readonly outcome: 'answered' | 'failed' | 'cut' | 'gone'
  /** The output written by then. */
  readonly outputTokens: number
}

/**
 * Sends an answer as scripted. Resolves when it is done; never rejects. `onWhole` is called before the last bytes are
 * sent, so that a client that has read them finds the book complete.
 */
export async function sendAnswer(
  response: ServerResponse,
  chunks: readonly Chunk[],
  turn: ProviderTurn,
  errorEvent: string,
  gone: AbortSignal,
  onWhole: () => void,
): Promise<Sent> {
  const { fault, pieceGate } = turn
  if (fault?.kind === 'headers-only') {
    response.flushHeaders()
    await untilGone(gone)
    return { outcome: 'gone', outputTokens: 0 }
  }
  const faultAt = fault === undefined ? chunks.length : placeOf(fault, chunks.length)
  let outputTokens = 0
  for (const [at, chunk] of chunks.entries()) {
    if (at === faultAt && (await breakOff(response, turn, errorEvent, gone))) {
      return { outcome: fault!.kind === 'error-event' ? 'failed' : gone.aborted ? 'gone' : 'cut', outputTokens }
    }
    await pieceGate?.wait(gone)
    if (gone.aborted) return { outcome: 'gone', outputTokens }
    if (at === chunks.length - 1) onWhole()
    if (!response.write(chunk.bytes)) await once(response, 'drain', { signal: gone }).catch(() => {})
    outputTokens = chunk.outputTokens
  }
  response.end()
  return { outcome: 'answered', outputTokens }
}

function placeOf(fault: NonNullable<ProviderTurn['fault']>, count: number): number {
  const asked = 'afterPieces' in fault ? fault.afterPieces : undefined
  return Math.min(count - 1, asked ?? Math.floor(count / 2))
}

/** Whether the answer ends here. */
async function breakOff(
  response: ServerResponse,
  { fault }: ProviderTurn,
  errorEvent: string,
  gone: AbortSignal,
): Promise<boolean> {
  switch (fault?.kind) {
    case 'cut':
      // The data so far still arrives, but not the promised end.
      response.flushHeaders()
      response.socket?.destroySoon()
      return true
    case 'error-event':
      response.end(errorEvent)
      return true
    case 'stall':
      response.flushHeaders()
      if (fault.until === undefined) await untilGone(gone)
      else await fault.until.wait(gone)
      return gone.aborted
    default:
      return false
  }
}

function untilGone(gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) return resolve()
    gone.addEventListener('abort', () => resolve(), { once: true })
  })
}
