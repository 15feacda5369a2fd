export type { MeterUsage, WindowUsage } from '../core/index.ts'
export { callUnderReservation } from './calls/call-under-reservation.ts'
export { cutShortBy } from './calls/closing/cut-short-by.ts'
export { expectWrapUp, type WrapUpOptions } from './calls/closing/expect-wrap-up.ts'
export { lapseConversation } from './calls/closing/lapse-conversation.ts'
export { CallNotSentError, type CallReach, isLeftOpen, isUnusableAddress, reachOf } from './calls/ends/call-reach.ts'
export { errorWords } from './calls/ends/error-words.ts'
export { onAbort } from './calls/ends/on-abort.ts'
export { type FoundReservation, findReservation } from './calls/find-reservation.ts'
export { createGovernor } from './create-governor.ts'
export { endAs, endOf, isWithinAnother, repeatWrapUp, type ScopeEnd, touchScope } from './edge-of-scope.ts'
export type { EventListener } from './events/event-delivery.ts'
export type { Subscribe, SubscribeOptions } from './events/event-hub.ts'
export type {
  ApproveOptions,
  BudgetOptions,
  ByOptions,
  CallOutcome,
  ChildSpec,
  CountedCalls,
  DoneCall,
  Governor,
  GovernorOptions,
  IncreaseAsk,
  ModelAnswer,
  ModelCallSpec,
  ModelGrant,
  OpenSpec,
  PauseOptions,
  Refusal,
  Reservation,
  ReserveOptions,
  Scope,
  ServedAs,
  StoppedCall,
  ToolGrant,
  ToolSpec,
  UsageOptions,
} from './governor.ts'
export * from './hints/index.ts'
export { type MediaFile, mediaSize } from './provider-tools/media-size.ts'
export { planProviderTools } from './provider-tools/plan-provider-tools.ts'
export type {
  ListedTools,
  PlannedProviderTools,
  ProviderRunTool,
  ProviderToolsQuestion,
} from './provider-tools/provider-run-tool.ts'
export {
  createRepeatGuard,
  type GuardedOutcome,
  type GuardedTool,
  type RepeatGuard,
  type RepeatRefusal,
  type SuppressedCall,
} from './repeat-guard/create-repeat-guard.ts'
export * from './repeat-guard/index.ts'
export { emptiedOnPath } from './scope/emptied-on-path.ts'
export { type EnforcedLimit, enforcedOnPath } from './scope/enforced-on-path.ts'
export { haltAt } from './scope/halt-at.ts'
export { isChargedTo } from './scope/is-charged-to.ts'
export { type PathLimits, pathLimits } from './scope/path-limits.ts'
export { remainingOnPath, runsAgent } from './scope/remaining-on-path.ts'
export { ScopeClosedError } from './scope/scope-closed-error.ts'
export type { IncreaseRequest } from './steering/increase.ts'
export { keepConversation } from './steering/keep-conversation.ts'
export { NotPausedError } from './steering/not-paused-error.ts'
export { ScopePausedError } from './steering/scope-paused-error.ts'
export { UnknownRequestError } from './steering/unknown-request-error.ts'
export { type HoldingPause, pauseOnPath, untilGoesOn } from './steering/until-goes-on.ts'
