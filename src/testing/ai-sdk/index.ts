export {
  createScriptedLanguageModel,
  type ScriptedLanguageModel,
  type ScriptedLanguageModelOptions,
} from '../../scripted/scripted-language-model.ts'
