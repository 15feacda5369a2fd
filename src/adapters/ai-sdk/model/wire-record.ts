import { reachOf } from '../../../governor/index.ts'
import type { AnswerPart } from './language-model.ts'

/** What is known of the requests that a call has really sent: one of work, and its closing one where a limit cut it. */
export interface WireRecord {
  /** Sends a request and keeps the answer. One that the provider refused at once has come to nothing. */
  send<Sent extends { readonly content: readonly AnswerPart[] }>(request: SentRequest<Sent>): Promise<Sent>
  /** The parts of all answers; `null` where there was none. */
  answers(): readonly AnswerPart[] | null
  /** Whether a request was sent of whose answer nobody knows. */
  isUnanswered(): boolean
}

type SentRequest<Sent> = (firstByte: () => void) => Promise<Sent>

export function createWireRecord(): WireRecord {
  let answers: readonly AnswerPart[] | null = null
  let unanswered = 0
  return {
    async send(request) {
      let hasFirstByte = false
      unanswered++
      try {
        const sent = await request(() => {
          hasFirstByte = true
        })
        answers = [...(answers ?? []), ...sent.content]
        unanswered--
        return sent
      } catch (error) {
        if (!hasFirstByte && reachOf(error) !== 'unknown') unanswered--
        throw error
      }
    },
    answers: () => answers,
    isUnanswered: () => unanswered > 0,
  }
}
