import type { Reservation } from '../../governor/index.ts'
import type { RelayOptions } from '../dialects/dialect.ts'
import type { LiveCall } from './live-call.ts'

type AdmitToolCall = NonNullable<RelayOptions['admitToolCall']>

/** Admits the tool calls of one answer while there are any left. */
export interface ToolGate {
  readonly admit: AdmitToolCall
  /**
   * The answer is finished. Counts the calls that were admitted; if the client never got a whole answer (`ran: false`)
   * they did not run, and none counts. Returns how many of them the answer's own reservation pays for.
   */
  end(outcome: { readonly ran: boolean }): Promise<number>
}

/**
 * The first call of an answer was reserved with it, if its request has tools; each further one is reserved now. If an
 * answer did not reach its client, and the same prompt produces the same call again, it is already counted.
 */
export function createToolGate({ scope, state, client, request }: LiveCall, promptDigest: string): ToolGate {
  const mostPaid = request.hasTools ? 1 : 0
  let paid = 0
  const rooms: Reservation[] = []
  // Two calls of one answer are two, even with the same id.
  const ofThisAnswer = new Set<string>()
  const countedBefore = new Set<string>()
  client.whenGone.push(() => {
    for (const id of ofThisAnswer) state.lostCalls.set(id, promptDigest)
  })
  return {
    async admit({ id }) {
      // It would not arrive.
      if (client.isGone) return false
      const wasCounted = id !== '' && state.lostCalls.get(id) === promptDigest && !ofThisAnswer.has(id)
      if (wasCounted) {
        // Once: after that it has reached its client, or is lost again.
        state.lostCalls.set(id, null)
        countedBefore.add(id)
        ofThisAnswer.add(id)
        return true
      }
      if (paid < mostPaid) {
        paid++
        ofThisAnswer.add(id)
        return true
      }
      const room = await scope.reserve({ toolCalls: 1 }, { waitMs: 0 })
      if (room.kind === 'refused') return false
      rooms.push(room)
      ofThisAnswer.add(id)
      return true
    },
    async end({ ran }) {
      await Promise.all(rooms.map((room) => (ran ? room.settle({ toolCalls: 1 }) : room.release())))
      if (ran) return paid
      // What was counted before is lost once more; the others are new when they are sent again.
      for (const id of ofThisAnswer) state.lostCalls.set(id, countedBefore.has(id) ? promptDigest : null)
      ofThisAnswer.clear()
      return 0
    },
  }
}
