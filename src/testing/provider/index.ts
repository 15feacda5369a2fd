export type { CountedUsage } from './counting/counted-usage.ts'
export { type ProviderModel, type ProviderPrice, USUAL_MODELS } from './counting/provider-model.ts'
export { createScriptedProvider } from './create-scripted-provider.ts'
export { createGate, type Gate } from './gate.ts'
export type { JsonObject } from './json/json-value.ts'
export {
  createPreparedProvider,
  type PreparedProvider,
  type PreparedProviderOptions,
} from './prepared/create-prepared-provider.ts'
export type { BookEntry, BookOutcome, ProviderBook } from './provider-book.ts'
export type { CountFault, CountRecord, CountRequest, CountScript, CountTurn } from './provider-count.ts'
export type { OfferedTool, PromptPart, ProviderDialectName, ProviderRequest } from './provider-request.ts'
export type { ProviderFault, ProviderScript, ProviderToolCall, ProviderTurn, UsageReport } from './provider-turn.ts'
export type { RecordedRequest, ScriptedProvider, ScriptedProviderOptions } from './scripted-provider.ts'
export { emitWholeCap } from './scripts/emit-whole-cap.ts'
export { type LoopOptions, loopForEver } from './scripts/loop-for-ever.ts'
export { sayOnce } from './scripts/say-once.ts'
export type { ScriptData } from './scripts/script-from-data.ts'
export { toolThenText } from './scripts/tool-then-text.ts'
