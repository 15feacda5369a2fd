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
  /** Whether the agent is told of its budget: a line in its system prompt, and hints under tool results. Default: no. */
  readonly hints?: boolean
  /** Whether the call after a limit goes out as the closing call, instead of being refused. Default: no. */
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

/** A model as `governedModel` gives it: of the same kind, and for a name the model that it means. */
export type GovernedModel<Model> = Model extends string ? LanguageModelV3 : Model

/**
 * A model whose every call, each retry included, is reserved before it is sent and settled with what it really used.
 * Throws `LimitExceededError` where a call does not fit: the AI SDK does not retry that. A model that this scope governs
 * already, or one below it, is returned as it is; one that a scope above governs is governed by this one instead.
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

/** A model whose calls a scope governs, with these steps around each. One that is governed already keeps its scope. */
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
  // From here on something of the scope's loops is governed, whether or not it was called yet.
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
