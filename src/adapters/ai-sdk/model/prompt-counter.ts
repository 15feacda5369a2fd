import { isAmount } from '../../../core/index.ts'
import { withCountMargin } from '../../../governor/calls/closing/fit-to-count.ts'
import { isUncertainPrompt } from '../../../governor/calls/closing/is-uncertain-prompt.ts'
import type { ModelCallSpec } from '../../../governor/index.ts'
import type { AgentLoop } from '../agent-loop.ts'
import type { CallOptions, LanguageModelV3 } from './language-model.ts'
import { boundsOutput, type ModelRequest, type ModelSettings } from './model-request.ts'

/** A prompt that is known better than by its estimate. */
export interface KnownPrompt {
  readonly options: CallOptions
  readonly inputTokens: number
}

/** Has one model call counted, as it is planned or as the closing call: at most once. */
export interface PromptCounter {
  /** The part of a spec by which the governor may have the request counted. Empty where it may not be. */
  specFor(request: Pick<ModelRequest, 'options' | 'spec'>): Pick<ModelCallSpec, 'countTokens'>
  /** `null`: nothing was counted. */
  known(): KnownPrompt | null
}

/** Counts with what the caller gave for it. An input that is bounded by its bytes is not an estimate. */
export function createPromptCounter(
  { scope }: AgentLoop,
  { provider, modelId }: LanguageModelV3,
  { countTokens, input }: ModelSettings,
): PromptCounter {
  let isAsked = countTokens === undefined || input === 'strict' || !scope.limits().some(boundsOutput)
  let counted: KnownPrompt | null = null
  return {
    specFor({ options, spec }) {
      if (isAsked || !isUncertainPrompt(spec)) return {}
      return {
        async countTokens({ signal }) {
          if (isAsked) return null
          isAsked = true
          const tokens = await countTokens!({ provider, modelId, options, signal })
          if (isAmount(tokens) && tokens > 0) counted = { options, inputTokens: withCountMargin(tokens) }
          return tokens
        },
      }
    },
    known: () => counted,
  }
}
