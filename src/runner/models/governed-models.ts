import { type AnyLanguageModel, type GovernedFallbackOptions, governedFallback } from '../../adapters/ai-sdk/index.ts'
import type { ThinkingLevel } from '../../agents/agent.ts'
import type { Scope } from '../../governor/index.ts'
import type { ResolvedModel } from './model-source.ts'

export interface GovernedModelsOptions extends GovernedFallbackOptions {
  readonly thinking?: ThinkingLevel | null
}

/**
 * The models of a run as the one that its loop is built with: governed by `scope`, each with its own thinking options,
 * and a fallback only where a provider failed. Told of its budget unless `hints` is false.
 */
export function governedModels(
  scope: Scope,
  models: readonly ResolvedModel[],
  { thinking = null, hints = true, ...options }: GovernedModelsOptions = {},
): AnyLanguageModel {
  const choices = models.map(({ name, model, namedBy, countTokens, thinkingOptions }) => ({
    name,
    model,
    providerOptions: thinkingOptions(thinking),
    ...(namedBy === undefined ? {} : { namedBy }),
    ...(countTokens === undefined ? {} : { countTokens }),
  }))
  return governedFallback(scope, choices, { ...options, hints })
}
