import type { GovernedFallbackOptions, LanguageModelV3 } from '../../adapters/ai-sdk/index.ts'
import { modelOfChoices, type RequestSteps } from '../../adapters/ai-sdk/model/fallback/governed-fallback.ts'
import type { ThinkingLevel } from '../../agents/agent.ts'
import type { Scope } from '../../governor/index.ts'
import type { ResolvedModel } from './model-source.ts'

export interface GovernedModelsOptions extends GovernedFallbackOptions {
  readonly thinking?: ThinkingLevel | null
}

/**
 * The models of a run as one model: governed by `scope`, each with its own thinking options, with fallbacks for when a
 * provider fails. The model sees its budget unless `hints` is false. `steps` run around each request.
 */
export function governedModels(
  scope: Scope,
  models: readonly ResolvedModel[],
  { thinking = null, hints = true, ...options }: GovernedModelsOptions = {},
  steps: RequestSteps = {},
): LanguageModelV3 {
  const choices = models.map(({ name, model, namedBy, countTokens, thinkingOptions }) => ({
    name,
    model,
    providerOptions: thinkingOptions(thinking),
    ...(namedBy === undefined ? {} : { namedBy }),
    ...(countTokens === undefined ? {} : { countTokens }),
  }))
  return modelOfChoices(scope, choices, { ...options, hints }, steps)
}
