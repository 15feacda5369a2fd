// What users get. What only edges need is in edge.ts.
export type { MeterUsage, WindowUsage } from '../core/index.ts'
export type {
  CallOutcome,
  CountedCalls,
  DoneCall,
  ModelAnswer,
  ModelCallSpec,
  ModelGrant,
  Refusal,
  Reservation,
  ReserveOptions,
  ServedAs,
  StoppedCall,
  ToolGrant,
  ToolSpec,
} from './call.ts'
export { CallNotSentError } from './calls/ends/call-reach.ts'
export { createGovernor } from './create-governor.ts'
export type { EventListener } from './events/event-delivery.ts'
export type { Subscribe, SubscribeOptions } from './events/event-hub.ts'
export type {
  ApproveOptions,
  BudgetOptions,
  ByOptions,
  ChildSpec,
  Governor,
  GovernorOptions,
  IncreaseAsk,
  OpenSpec,
  PauseOptions,
  Scope,
  UsageOptions,
} from './governor.ts'
export {
  appendHint,
  type HintOptions,
  notRunResult,
  type ReachedLimit,
  refusedToolResult,
  stoppedToolResult,
  stripToolMarkup,
  wrapUpText,
} from './hints/index.ts'
export type { ProviderReading } from './provider-tools/provider-run-tool.ts'
export {
  createRepeatGuard,
  type GuardedOutcome,
  type GuardedTool,
  type RepeatGuard,
  type RepeatRefusal,
  type SuppressedCall,
} from './repeat-guard/create-repeat-guard.ts'
export type { RepeatBreach } from './repeat-guard/repeat-breach.ts'
export { ScopeClosedError } from './scope/scope-closed-error.ts'
export type { IncreaseRequest } from './steering/increase.ts'
export { NotPausedError } from './steering/not-paused-error.ts'
export { ScopePausedError } from './steering/scope-paused-error.ts'
export { UnknownRequestError } from './steering/unknown-request-error.ts'
