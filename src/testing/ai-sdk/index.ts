export {
  type CallOptions,
  createScriptedLanguageModel,
  type LanguageModelV3,
  type ScriptedLanguageModel,
  type ScriptedLanguageModelOptions,
} from '../../scripted/scripted-language-model.ts'
