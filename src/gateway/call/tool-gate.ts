import type { Reservation } from '../../governor/index.ts'
import type { RelayOptions } from '../dialects/dialect.ts'
import type { LiveCall } from './live-call.ts'

type AdmitToolCall = NonNullable<RelayOptions['admitToolCall']>

/** Lets the tool calls of one answer through while there are any left. */
export interface ToolGate {
  readonly admit: AdmitToolCall
  /**
   * The answer has come to its end. Counts the calls that were let through; where the client never got a whole answer
   * (`ran: false`) they didn't run, and none counts. Returns how many of them the reservation of the answer itself pays.
   */
  end(outcome: { readonly ran: boolean }): Promise<number>
}

/**
 * The first call of an answer was reserved with it, if its request has tools; each further one is now. A call that was
 * counted for the same prompt before is the same one, sent again.
 */
export function createToolGate({ scope, state, client, request }: LiveCall, promptDigest: string): ToolGate {
  const mostPaid = request.hasTools ? 1 : 0
  let paid = 0
  const rooms: Reservation[] = []
  // Two calls of one answer are two, whatever they are called.
  const ofThisAnswer = new Set<string>()
  const remember = (id: string): void => {
    ofThisAnswer.add(id)
    state.countedCalls.set(id, promptDigest)
  }
  return {
    async admit({ id }) {
      // It would not reach anybody.
      if (client.isGone()) return false
      const wasCounted = id !== '' && state.countedCalls.get(id) === promptDigest && !ofThisAnswer.has(id)
      if (wasCounted) {
        ofThisAnswer.add(id)
        return true
      }
      if (paid < mostPaid) {
        paid++
        remember(id)
        return true
      }
      const room = await scope.reserve({ toolCalls: 1 }, { waitMs: 0 })
      if (!room.granted) return false
      rooms.push(room)
      remember(id)
      return true
    },
    async end({ ran }) {
      await Promise.all(rooms.map((room) => (ran ? room.settle({ toolCalls: 1 }) : room.release())))
      if (ran) return paid
      // Sent again, they are new.
      for (const id of ofThisAnswer) if (state.countedCalls.get(id) === promptDigest) state.countedCalls.set(id, '')
      return 0
    },
  }
}
