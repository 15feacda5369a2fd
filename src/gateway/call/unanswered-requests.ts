import { hash } from 'node:crypto'
import { createAgingMap } from '../../core/index.ts'

/** Requests that were sent and not answered: if a client repeats one, that is another attempt at it. */
export interface UnansweredRequests {
  /** How often this request was sent since it was last answered. */
  sentBefore(body: Buffer): number
  /** It was sent this often without an answer. */
  add(body: Buffer, sent: number): void
  /** It was answered. */
  clear(body: Buffer): void
}

const MOST = 1_000

export function createUnansweredRequests(): UnansweredRequests {
  const sentBy = createAgingMap<number>(MOST)
  // A body may be large: it is hashed only if something has failed.
  let isEmpty = true
  const keyOf = (body: Buffer): string => hash('sha256', body, 'base64')
  return {
    sentBefore: (body) => (isEmpty ? 0 : (sentBy.get(keyOf(body)) ?? 0)),
    add(body, sent) {
      if (sent === 0) return
      isEmpty = false
      sentBy.set(keyOf(body), sent)
    },
    clear(body) {
      if (!isEmpty) sentBy.set(keyOf(body), 0)
    },
  }
}
