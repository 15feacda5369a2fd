// For edges: adapters, the gateway, the runner and the command line. The public exports are in index.ts.

export type { ServedBy, StoppedCall } from './call.ts'
export { type CallReach, isLeftOpen, isUnusableAddress, reachOf } from './calls/ends/call-reach.ts'
export { errorWords } from './calls/ends/error-words.ts'
export { onAbort } from './calls/ends/on-abort.ts'
export type { FoundReservation } from './calls/find-reservation.ts'
export type { WrapUpOptions } from './calls/wrap-up/expect-wrap-up.ts'
export { withCountMargin } from './calls/wrap-up/fit-to-count.ts'
export { isUncertainPrompt } from './calls/wrap-up/is-uncertain-prompt.ts'
export { promptIn, type SizedCall } from './calls/wrap-up/prompt-in.ts'
export {
  budgetHint,
  cutAtBudget,
  defuse,
  fillPromptLine,
  footer,
  lookAlikePlaces,
  notRunResult,
  promptLine,
  quoteAt,
  type ReachedLimit,
  refusedToolResult,
  type SpawnReportInput,
  type Standing,
  shortWrapUpText,
  spawnReport,
  stoppedToolResult,
} from './hints/index.ts'
export { type MediaFile, mediaSize } from './provider-tools/media-size.ts'
export type {
  ListedTools,
  PlannedProviderTools,
  ProviderReading,
  ProviderRunTool,
  ProviderToolsQuestion,
} from './provider-tools/provider-run-tool.ts'
export type { OpenQuestion } from './scope/open/ask-to-open.ts'
export { assertCallerNamed } from './scope/open/assert-caller-named.ts'
export type { ConversationSpec, JoinedConversation } from './scope/open/join-conversation.ts'
export type { EnforcedLimit } from './scope/path/enforced-on-path.ts'
export type { KnownMeter } from './scope/path/known-meters.ts'
export type { PathLimits } from './scope/path/path-limits.ts'
export { edgeOf, type ScopeEdge, type ScopeEnd } from './scope-edge.ts'
export type { HoldingPause } from './steering/until-resumed.ts'
