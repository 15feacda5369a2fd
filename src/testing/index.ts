export { createManualClock, type ManualClock, type ManualClockOptions } from './manual-clock.ts'
export {
  createScriptedModel,
  type ScriptedBookEntry,
  type ScriptedModel,
  type ScriptedModelOptions,
} from './scripted-model.ts'
export { ScriptedModelError } from './scripted-model-error.ts'
export type {
  Script,
  ScriptedAnswer,
  ScriptedMessage,
  ScriptedRequest,
  ScriptedToolCall,
  ScriptedTurn,
} from './scripted-types.ts'
export { type SimulatedAgent, type SpawnAgentOptions, spawnAgent, type TaskStatus } from './spawn-agent.ts'
