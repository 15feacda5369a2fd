import { resolve } from 'node:path'
import { createScriptedLanguageModel } from '../../../scripted/scripted-language-model.ts'
import type { Script } from '../../../scripted/scripted-types.ts'
import type { ResolvedModel } from '../model-source.ts'
import { parseScript } from './parse-script.ts'
import { playScript } from './play-script.ts'
import { readScriptFile } from './read-script-file.ts'
import { SCRIPTED_MODEL_ID } from './scripted-prices.ts'

/** A model that follows a script: no key, no network, and a made-up price. */
export function modelOfScript(name: string, script: Script): ResolvedModel {
  const model = createScriptedLanguageModel(script, { modelId: SCRIPTED_MODEL_ID })
  return { name, model, thinkingOptions: () => ({}) }
}

/** The model of a script file, for tests and demos. */
export function openScripted(path: string, workingFolder: string): ResolvedModel {
  const file = resolve(workingFolder, path)
  return modelOfScript(`scripted/${path}`, playScript(parseScript(file, readScriptFile(file))))
}
