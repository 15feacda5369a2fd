import { isAmount } from '../../core/index.ts'
import { withCountMargin } from '../../governor/edge.ts'
import { isBelievableCount } from '../../pricing/estimate/counting/believable-count.ts'
import type { AgentCall, SentAnswer } from '../agent-call.ts'
import type { CountedPrompt, PromptCounter } from '../planned-call.ts'
import type { RequestView } from '../request-view.ts'

/** A count is for the limits on tokens and cost. An input bounded by its bytes is not an estimate. */
export function createPromptCounter<Request extends RequestView, Sent extends SentAnswer>({
  count,
  limits,
  settings,
}: AgentCall<Request, Sent>): PromptCounter<Request> {
  let isAsked = count === null || !limits.boundsOutput || settings.input === 'strict'
  let counted: CountedPrompt<Request> | null = null
  return {
    specFor(request, estimated) {
      if (isAsked) return {}
      return {
        async countTokens({ signal }) {
          if (isAsked) return null
          isAsked = true
          const asked = request()
          const tokens = await count!(asked, signal)
          if (!isAmount(tokens) || tokens === 0 || !isBelievableCount(tokens, estimated)) return null
          counted = { request: asked, inputTokens: withCountMargin(tokens) }
          return tokens
        },
      }
    },
    known: () => counted,
  }
}
