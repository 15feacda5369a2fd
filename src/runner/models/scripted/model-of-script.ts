import { createScriptedLanguageModel } from '../../../scripted/scripted-language-model.ts'
import type { Script } from '../../../scripted/scripted-types.ts'
import type { ResolvedModel } from '../model-source.ts'
import { SCRIPTED_MODEL_ID } from './scripted-prices.ts'

/** A model that does what a script says: no key, no network, and a made-up price. */
export function modelOfScript(name: string, script: Script): ResolvedModel {
  const model = createScriptedLanguageModel(script, { modelId: SCRIPTED_MODEL_ID })
  return { name, model, thinkingOptions: () => ({}) }
}
