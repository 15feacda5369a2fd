import { expectWrapUp, type Scope } from '../../../governor/index.ts'
import { loopOf } from '../agent-loop.ts'
import { addHints } from '../prompt/add-hints.ts'
import { addPromptLine } from '../prompt/add-prompt-line.ts'
import type { LoopCall } from './call-governed.ts'
import { generateGoverned } from './generate-governed.ts'
import type { AnyLanguageModel, CallOptions, GenerateResult, LanguageModelV3, StreamResult } from './language-model.ts'
import { modelFrom } from './model-from.ts'
import type { ModelSettings } from './model-request.ts'
import { boundProviderTools, settleProviderTools } from './provider-tools.ts'
import { streamGoverned } from './stream-governed.ts'

export interface GovernedModelOptions extends ModelSettings {
  /** Whether the agent is told of its budget: a line in its system prompt, and hints under tool results. Default: no. */
  readonly hints?: boolean
  /** Whether the call after a limit goes out as the closing call, instead of being refused. Default: no. */
  readonly wrapUp?: boolean
}

// On the model, not in a set: the AI SDK wraps models, and hands such a wrapper to `prepareStep`.
const GOVERNED_BY = Symbol.for('stint.governedBy')

/** A model as `governedModel` gives it: of the same kind, and for a name the model that it means. */
export type GovernedModel<Model> = Model extends string ? LanguageModelV3 : Model

/**
 * A model whose every call, each retry included, is reserved before it is sent and settled with what it really used.
 * Throws `LimitExceededError` where a call does not fit: the AI SDK does not retry that. A model that this scope governs
 * already is returned as it is.
 */
export function governedModel<Model extends AnyLanguageModel | string>(
  scope: Scope,
  model: Model,
  options: GovernedModelOptions = {},
): GovernedModel<Model> {
  const inner = modelFrom(model) as LanguageModelV3
  if ((inner as { readonly [GOVERNED_BY]?: string })[GOVERNED_BY] === scope.id) return inner as GovernedModel<Model>
  const loop = loopOf(scope)
  if (options.wrapUp === true) loop.wrapsUp = expectWrapUp(scope)
  const prepare = async (asked: CallOptions): Promise<CallOptions> =>
    preparedOptions(scope, asked, options.hints === true)

  async function doGenerate(asked: CallOptions): Promise<GenerateResult> {
    const bounded = await boundProviderTools(scope, await prepare(asked))
    const { options: bound, webSearches } = bounded
    const call: LoopCall = { loop, model: inner, settings: options, options: bound, webSearches }
    try {
      const result = await generateGoverned(call)
      await settleProviderTools(scope, bounded, { answer: result.content })
      return result
    } catch (error) {
      await settleProviderTools(scope, bounded, { error })
      throw error
    }
  }

  async function doStream(asked: CallOptions): Promise<StreamResult> {
    const bounded = await boundProviderTools(scope, await prepare(asked))
    const { options: bound, webSearches } = bounded
    const call: LoopCall = { loop, model: inner, settings: options, options: bound, webSearches }
    return streamGoverned(call, (end) => settleProviderTools(scope, bounded, end))
  }

  const { specificationVersion, provider, modelId, supportedUrls } = inner
  const governed = { specificationVersion, provider, modelId, supportedUrls, doGenerate, doStream }
  return Object.assign(governed, { [GOVERNED_BY]: scope.id }) as AnyLanguageModel as GovernedModel<Model>
}

/** The request with what the agent is told of its budget. Without limits there is nothing to tell. */
async function preparedOptions(scope: Scope, options: CallOptions, hasHints: boolean): Promise<CallOptions> {
  if (!hasHints) return options
  const loop = loopOf(scope)
  const isLimited = scope.limits().length > 0
  if (isLimited) loop.promptLine ??= scope.promptLine()
  const hinted = isLimited ? await addHints(loop, options.prompt) : options.prompt
  return { ...options, prompt: addPromptLine(hinted, loop.promptLine ?? '') }
}
