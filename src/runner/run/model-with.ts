import type { LanguageModelV3 } from './language-model.ts'

/** A model that is called in another way, and is the same to everybody who looks at it. */
export function modelWith(
  { specificationVersion, provider, modelId, supportedUrls }: LanguageModelV3,
  calls: Pick<LanguageModelV3, 'doGenerate' | 'doStream'>,
): LanguageModelV3 {
  return { specificationVersion, provider, modelId, supportedUrls, ...calls }
}
