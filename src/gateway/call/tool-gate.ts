import type { RelayOptions } from '../dialects/dialect.ts'
import type { LiveCall } from './live-call.ts'

type AdmitToolCall = NonNullable<RelayOptions['admitToolCall']>

/** Lets the tool calls of one answer through while there are any left. */
export interface ToolGate {
  readonly admit: AdmitToolCall
  /** How many of them the reservation of the answer itself has paid. */
  paidByAnswer(): number
}

/**
 * The first call of an answer was reserved with it, if its request has tools; each further one is now. Where an answer
 * did not reach its client, and the same prompt brings the same call once more, that one is counted already.
 */
export function createToolGate({ scope, state, client, request }: LiveCall, promptDigest: string): ToolGate {
  const mostPaid = request.hasTools ? 1 : 0
  let paid = 0
  // Two calls of one answer are two, whatever they are called.
  const ofThisAnswer = new Set<string>()
  client.onGone(() => {
    for (const id of ofThisAnswer) state.lostCalls.set(id, promptDigest)
  })
  return {
    async admit({ id }) {
      // It would not reach anybody.
      if (client.isGone()) return false
      const wasCounted = id !== '' && state.lostCalls.get(id) === promptDigest && !ofThisAnswer.has(id)
      if (wasCounted) {
        // Once: after that it has reached its client, or is lost again.
        state.lostCalls.set(id, null)
        ofThisAnswer.add(id)
        return true
      }
      if (paid < mostPaid) {
        paid++
        ofThisAnswer.add(id)
        return true
      }
      const room = await scope.reserve({ toolCalls: 1 }, { waitMs: 0 })
      if (!room.granted) return false
      await room.settle({ toolCalls: 1 })
      ofThisAnswer.add(id)
      return true
    },
    paidByAnswer: () => paid,
  }
}
