export type {
  AcceptanceReport,
  AcceptanceResult,
  AcceptanceStatus,
  CriterionResult,
  ReviewResult,
  VerifyResult,
} from './acceptance/acceptance-result.ts'
export type {
  Chain,
  ChainInput,
  ChainSource,
  ChainStep,
  ChildContext,
  ChildInput,
  ChildStep,
  Collect,
  Expand,
  ExpandInput,
  ExpandStep,
  GroupInput,
  ParallelInput,
  ParallelStep,
  SequentialStep,
  Share,
  StepGroup,
  StepInput,
} from './groups/chain/chain.ts'
export { type ChainPlaces, chainInFile, chainNamed, type FoundChains, findChains } from './groups/chain/find-chains.ts'
export { InvalidChainError } from './groups/chain/invalid-chain-error.ts'
export { parseChain } from './groups/chain/parse-chain.ts'
export { UnknownChainError } from './groups/chain/unknown-chain-error.ts'
export type { GroupMember, GroupProgress } from './groups/group-progress.ts'
export type {
  ChainRequest,
  GroupOptions,
  GroupRequest,
  GroupResumeOptions,
  ParallelRequest,
} from './groups/group-request.ts'
export type { ChildResult, GroupArtifacts, GroupResult } from './groups/group-result.ts'
export type { Plan, PlannedBreach, PlannedChild, PlannedMeter, PlannedStep, WorstCase } from './groups/plan/plan.ts'
export { createModelSource, type ModelSource, type ResolvedModel, SCRIPTED_PRICES } from './models/index.ts'
export { MissingKeyError } from './models/missing-key-error.ts'
export type { CountTokens, ModelSourceOptions, ProviderOptions, ProviderSettings } from './models/model-source.ts'
export { UnknownModelError } from './models/unknown-model-error.ts'
export type { AskAboveInput } from './run/consent-layers.ts'
export { createRunner } from './run/create-runner.ts'
export type { ResourceLimitExceeded, RunArtifacts, RunAttempt, RunResult, RunStatus } from './run/end/run-result.ts'
export type { MeterRow, RunProgress, ToolEnd } from './run/run-progress.ts'
export type { RunOptions, RunRequest } from './run/run-request.ts'
export type { ResumeOptions, Runner, RunnerOptions, RunPlace } from './run/runner.ts'
export { createTasks, type Tasks } from './tasks/create-tasks.ts'
export type { TaskCall, TaskCreateCall, TaskUpdateCall } from './tasks/task-calls.ts'
export type { TaskRecord, TaskState, TaskStatus } from './tasks/task-record.ts'
export type { TasksOptions } from './tasks/task-request.ts'
export type { TaskDraft, TaskStore } from './tasks/task-store.ts'
export type { TaskView } from './tasks/task-view.ts'
export { UnknownTaskError } from './tasks/unknown-task-error.ts'
export type { McpAddress, McpProgram, McpServer } from './tools/mcp-server.ts'
