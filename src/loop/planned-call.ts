import type { ModelCallSpec } from '../governor/index.ts'
import type { PromptEstimate } from './prompt/prompt-estimate.ts'
import type { RequestEdits, RequestView } from './request-view.ts'

/** A request as it will be sent, apart from what its grant sets. */
export interface PlannedCall<Request extends RequestView = RequestView> {
  readonly spec: ModelCallSpec
  readonly edits: RequestEdits
  readonly estimate: PromptEstimate
  readonly counter: PromptCounter<Request>
  readonly isClosing: boolean
  /** How many provider-run tool calls are reserved with it. */
  readonly providerCalls: number
}

/** Has one request counted by its provider, as planned or as its closing call: at most once. */
export interface PromptCounter<Request> {
  /**
   * The part of a spec that lets the governor have `request`, with this estimate, counted. Empty if that is not
   * possible, or was already done.
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
  /** Including the margin of a count. */
  readonly inputTokens: number
}
