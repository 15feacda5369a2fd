export {
  createScriptedModel,
  type ScriptedBookEntry,
  type ScriptedModel,
  type ScriptedModelOptions,
} from '../scripted/scripted-model.ts'
export { ScriptedModelError } from '../scripted/scripted-model-error.ts'
export type {
  Script,
  ScriptedAnswer,
  ScriptedFile,
  ScriptedMessage,
  ScriptedRequest,
  ScriptedToolCall,
  ScriptedTurn,
} from '../scripted/scripted-types.ts'
export type {
  AdapterPower,
  AdapterUnderTest,
  ContractAgent,
  ContractFile,
  ContractRun,
  ContractTool,
} from './adapter-contract/adapter-under-test.ts'
export {
  type ContractOptions,
  type ContractSection,
  describeAdapterContract,
} from './adapter-contract/describe-adapter-contract.ts'
export { createManualClock, type ManualClock, type ManualClockOptions } from './manual-clock.ts'
export { type SimulatedAgent, type SpawnAgentOptions, spawnAgent, type TaskStatus } from './spawn-agent.ts'
export { describeStoreContract } from './store-contract/describe-store-contract.ts'
export {
  type AnswersAlikeOptions,
  answersAlike,
  type ComparedHistories,
} from './store-contract/histories/answers-alike.ts'
export type { StoreUnderTest } from './store-contract/store-under-test.ts'
export type { Expectation, TestTools } from './store-contract/test-tools.ts'
