export { createGovernor } from './create-governor.ts'
export type { EventListener } from './event-delivery.ts'
export type { Subscribe, SubscribeOptions } from './event-hub.ts'
export type {
  Governor,
  GovernorOptions,
  OpenSpec,
  Refusal,
  Reservation,
  ReserveOptions,
  Scope,
} from './governor.ts'
export { ScopeClosedError } from './scope-closed-error.ts'
export type { MeterUsage, WindowUsage } from './scope-usage.ts'
