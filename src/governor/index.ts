export { CallNotSentError, type CallReach, isLeftOpen, isUnusableAddress, reachOf } from './call-reach.ts'
export { callUnderReservation } from './call-under-reservation.ts'
export { createGovernor } from './create-governor.ts'
export {
  createRepeatGuard,
  type GuardedOutcome,
  type GuardedTool,
  type RepeatGuard,
  type RepeatRefusal,
  type SuppressedCall,
} from './create-repeat-guard.ts'
export { cutShortBy } from './cut-short-by.ts'
export { endAs, endOf, isWithinAnother, repeatWrapUp, type ScopeEnd, touchScope } from './edge-of-scope.ts'
export { emptiedOnPath } from './emptied-on-path.ts'
export { enforcedOnPath } from './enforced-on-path.ts'
export { errorWords } from './error-words.ts'
export type { EventListener } from './event-delivery.ts'
export type { Subscribe, SubscribeOptions } from './event-hub.ts'
export { expectWrapUp } from './expect-wrap-up.ts'
export { type FoundReservation, findReservation } from './find-reservation.ts'
export type {
  ApproveOptions,
  BudgetOptions,
  ByOptions,
  CallOutcome,
  ChildSpec,
  CountedCalls,
  Governor,
  GovernorOptions,
  IncreaseAsk,
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
export { haltAt } from './halt-at.ts'
export * from './hints/index.ts'
export type { IncreaseRequest } from './increase.ts'
export { isChargedTo } from './is-charged-to.ts'
export { keepConversation } from './keep-conversation.ts'
export { lapseConversation } from './lapse-conversation.ts'
export { type MediaFile, mediaSize } from './media-size.ts'
export { NotPausedError } from './not-paused-error.ts'
export { onAbort } from './on-abort.ts'
export { type PathLimits, pathLimits } from './path-limits.ts'
export { planProviderTools } from './plan-provider-tools.ts'
export type {
  ListedTools,
  PlannedProviderTools,
  ProviderReading,
  ProviderRunTool,
  ProviderToolsQuestion,
} from './provider-run-tool.ts'
export { remainingOnPath, runsAgent } from './remaining-on-path.ts'
export * from './repeat-guard/index.ts'
export { ScopeClosedError } from './scope-closed-error.ts'
export { ScopePausedError } from './scope-paused-error.ts'
export type { MeterUsage, WindowUsage } from './scope-usage.ts'
export { UnknownRequestError } from './unknown-request-error.ts'
export { type HoldingPause, pauseOnPath, untilGoesOn } from './until-goes-on.ts'
