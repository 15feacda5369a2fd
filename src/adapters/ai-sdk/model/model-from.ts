import { gateway } from 'ai'
import { InvalidOptionError } from '../../../core/index.ts'
import type { AnyLanguageModel } from './language-model.ts'

interface LanguageModels {
  languageModel(modelId: string): AnyLanguageModel
}

/** A model, or the one that the AI SDK resolves from a name such as `anthropic/claude-sonnet-4-5`. */
export function modelFrom(model: AnyLanguageModel | string): AnyLanguageModel {
  if (typeof model === 'string') return defaultProvider().languageModel(model)
  if (typeof model !== 'object' || model === null || typeof model.doGenerate !== 'function') {
    throw new InvalidOptionError('governed({ model })', model, 'a language model of the AI SDK, or its name')
  }
  return model
}

function defaultProvider(): LanguageModels {
  const { AI_SDK_DEFAULT_PROVIDER: chosen } = globalThis as { readonly AI_SDK_DEFAULT_PROVIDER?: LanguageModels }
  return chosen ?? gateway
}
