// The public exports. What only edges need is in edge.ts.
export type { MeterUsage, WindowUsage } from '../core/index.ts'
export type {
  CallOutcome,
  ModelAnswer,
  ModelCallSpec,
  ModelGrant,
  Refusal,
  Reservation,
  ToolGrant,
  ToolSpec,
} from './call.ts'
export { CallNotSentError } from './calls/ends/call-reach.ts'
export { createGovernor } from './create-governor.ts'
export type { ChildSpec, Governor, GovernorOptions, OpenSpec, Scope } from './governor.ts'
export {
  appendHint,
  notRunResult,
  refusedToolResult,
  stoppedToolResult,
  stripToolMarkup,
  wrapUpText,
} from './hints/index.ts'
export {
  createRepeatGuard,
  type GuardedOutcome,
  type RepeatGuard,
} from './repeat-guard/create-repeat-guard.ts'
export { ScopeClosedError } from './scope/scope-closed-error.ts'
export type { IncreaseRequest } from './steering/increase.ts'
export { NotPausedError } from './steering/not-paused-error.ts'
export { ScopePausedError } from './steering/scope-paused-error.ts'
export { UnknownRequestError } from './steering/unknown-request-error.ts'
