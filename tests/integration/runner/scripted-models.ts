import type { ModelSource } from '../../../src/runner/models/index.ts'
import type { ScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'

/** Models that do what scripts say, by their names. */
export function scriptedModels(models: Readonly<Record<string, ScriptedLanguageModel>>): ModelSource {
  return {
    async resolve(name) {
      const model = models[name ?? 'first']
      if (model === undefined) throw new Error(`There is no model ${name}.`)
      return { name: name ?? 'first', model, thinkingOptions: () => ({}) }
    },
  }
}
