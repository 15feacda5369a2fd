import type { ModelCallSpec } from '../governor/index.ts'
import type { PromptEstimate } from './prompt/prompt-estimate.ts'
import type { RequestEdits, RequestView } from './request-view.ts'

/** A request as it will be sent, but for what its grant says. */
export interface PlannedCall<Request extends RequestView = RequestView> {
  readonly spec: ModelCallSpec
  readonly edits: RequestEdits
  readonly estimate: PromptEstimate
  readonly counter: PromptCounter<Request>
  readonly isClosing: boolean
  /** How many calls of tools that the provider runs itself are set aside with it. */
  readonly providerCalls: number
}

/** Has one request counted by its provider, as it is planned or as its closing call: at most once. */
export interface PromptCounter<Request> {
  /**
   * The part of a spec by which the governor may have `request` counted, which was estimated so. Empty where it cannot
   * be, or has been asked.
   */
  specFor(
    request: () => Request,
    estimated: Pick<ModelCallSpec, 'inputTokens' | 'countedTokens' | 'hasMedia'>,
  ): Pick<ModelCallSpec, 'countTokens'>
  /** `null`: nothing was counted. */
  known(): CountedPrompt<Request> | null
}

/** A prompt as its provider has counted it. */
export interface CountedPrompt<Request> {
  readonly request: Request
  /** With the margin that a count has. */
  readonly inputTokens: number
}
