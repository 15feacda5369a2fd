import { withCountMargin } from '../../governor/calls/closing/fit-to-count.ts'
import type { ModelCallSpec } from '../../governor/index.ts'
import type { WireRequest } from '../dialects/dialect.ts'
import { countTokens } from '../upstream/count-tokens.ts'
import type { LiveCall } from './live-call.ts'

/** A prompt as its provider has counted it. */
export interface CountedPrompt {
  readonly request: WireRequest
  /** With the margin that a count has. */
  readonly inputTokens: number
}

/** Has one request of a client counted by its provider, as it is planned or as its closing call: at most once. */
export interface PromptCounter {
  /** The part of a spec by which the governor may have `request` counted. Empty where it cannot be, or has been asked. */
  specFor(request: () => WireRequest): Pick<ModelCallSpec, 'countTokens'>
  /** `null`: nothing was counted. */
  known(): CountedPrompt | null
}

/** A count serves the limits on tokens and cost, where the provider has a route for it. */
export function createPromptCounter({ dialect, target, bounds, limits }: LiveCall): PromptCounter {
  const { counting } = dialect
  let isAsked = counting === null || !limits.boundsOutput
  let counted: CountedPrompt | null = null
  return {
    specFor(request) {
      if (isAsked) return {}
      return {
        async countTokens({ signal }) {
          if (isAsked) return null
          isAsked = true
          const asked = request()
          const tokens = await countTokens({ target, counting: counting!, request: asked, bounds, signal })
          if (tokens !== null) counted = { request: asked, inputTokens: withCountMargin(tokens) }
          return tokens
        },
      }
    },
    known: () => counted,
  }
}
