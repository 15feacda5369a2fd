import { assertKnownOptions, optionNames } from '../../../core/index.ts'
import { edgeOf } from '../../../governor/edge.ts'
import type { Scope } from '../../../governor/index.ts'
import { loopOf } from '../agent-loop.ts'
import { markGoverned, partToGovern } from '../governed-part.ts'
import type { AnswerSteps, GovernedCall } from './call-governed.ts'
import { generateGoverned } from './generate-governed.ts'
import type { AnyLanguageModel, CallOptions, LanguageModelV3 } from './language-model.ts'
import { modelFrom } from './model-from.ts'
import type { ModelSettings } from './model-settings.ts'
import { streamGoverned } from './stream-governed.ts'

export interface GovernedModelOptions extends ModelSettings {
  /** Whether the agent sees its budget: a line in its system prompt, and hints in tool results. Default: no. */
  readonly hints?: boolean
  /** Whether the call after a limit is sent as the closing call, instead of being refused. Default: no. */
  readonly wrapUp?: boolean
}

const OPTIONS = optionNames<GovernedModelOptions>({
  hints: true,
  wrapUp: true,
  phase: true,
  input: true,
  allowsUnboundedTools: true,
  countTokens: true,
  namedBy: true,
})

/** The return type of `governedModel`: the same kind of model, and for a name the model it refers to. */
export type GovernedModel<Model> = Model extends string ? LanguageModelV3 : Model

/**
 * A model whose calls, including retries, are reserved before they are sent and settled with their actual usage. Throws
 * `LimitExceededError` if a call does not fit, which the AI SDK does not retry. A model already governed by this scope
 * or one below it is returned unchanged; one governed by a scope above is governed by this one instead.
 */
export function governedModel<Model extends AnyLanguageModel | string>(
  scope: Scope,
  model: Model,
  options: GovernedModelOptions = {},
): GovernedModel<Model> {
  assertKnownOptions('governedModel', options, OPTIONS)
  const given = modelFrom(model) as LanguageModelV3
  const inner = partToGovern(scope, given)
  if (inner === null) return given as AnyLanguageModel as GovernedModel<Model>
  const { specificationVersion, provider, modelId, supportedUrls } = inner
  const callsWith = (steps: AnswerSteps): ModelCalls => governedCalls(scope, inner, options, steps)
  const governed: LanguageModelV3 = { specificationVersion, provider, modelId, supportedUrls, ...callsWith({}) }
  CALLS.set(governed, callsWith)
  return markGoverned(governed, scope, inner) as AnyLanguageModel as GovernedModel<Model>
}

/** How a model is called. */
export type ModelCalls = Pick<LanguageModelV3, 'doGenerate' | 'doStream'>

const CALLS = new WeakMap<object, (steps: AnswerSteps) => ModelCalls>()

/**
 * A model whose calls a scope governs, with these callbacks around each. One that is governed already keeps its scope.
 */
export function callsUnder(
  scope: Scope,
  model: LanguageModelV3,
  options: GovernedModelOptions,
  steps: AnswerSteps,
): ModelCalls {
  const inner = partToGovern(scope, model)
  return inner === null ? (CALLS.get(model)?.(steps) ?? model) : governedCalls(scope, inner, options, steps)
}

function governedCalls(
  scope: Scope,
  model: LanguageModelV3,
  options: GovernedModelOptions,
  steps: AnswerSteps,
): ModelCalls {
  // From here on, part of the scope's loops is governed, even if it has not been called yet.
  const first = loopOf(scope)
  if (options.wrapUp === true) first.wrapsUp = edgeOf(scope).expectWrapUp()
  const callFor = (asked: CallOptions): GovernedCall => ({
    loop: loopOf(scope),
    model,
    settings: options,
    hasHints: options.hints === true,
    options: asked,
    steps,
  })
  return {
    doGenerate: async (asked) => generateGoverned(callFor(asked)),
    doStream: async (asked) => streamGoverned(callFor(asked)),
  }
}
