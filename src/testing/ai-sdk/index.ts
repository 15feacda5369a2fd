export {
  createScriptedLanguageModel,
  type ScriptedLanguageModel,
  type ScriptedLanguageModelOptions,
} from './scripted-language-model.ts'
