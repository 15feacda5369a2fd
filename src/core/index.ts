export { ACTIONS, type Action, DEFAULT_ACTION, endsInClosingCall, isEnforced } from './action.ts'
export { type AgingMap, createAgingMap } from './aging-map.ts'
export {
  type AmountVector,
  amountsFromVector,
  counterIndex,
  vectorFromAmounts,
  zeroVector,
} from './amount-vector.ts'
export { type Amounts, addAmount, isAmount, NANO_USD_PER_USD } from './amounts.ts'
export { assertAmounts } from './assert-amounts.ts'
export { assertElastic, assertRates } from './assert-elastic.ts'
export { assertId } from './assert-id.ts'
export {
  assertKnownOptions,
  type OptionNames,
  optionNames,
  UnknownOptionError,
} from './assert-known-options.ts'
export { assertLabel, assertLabels } from './assert-labels.ts'
export { assertCeilings, assertLimits } from './assert-limits.ts'
export { assertTime } from './assert-time.ts'
export { assumedAmount } from './assumed-amount.ts'
export {
  balanceKey,
  balanceOf,
  type Counter,
  freeOn,
  type LimitBalance,
  overrunOf,
  remainingOf,
  type ScopeBalance,
} from './balance.ts'
export {
  type Breach,
  breachOf,
  describeBreach,
  type LimitStanding,
  messageForChild,
  messageForClient,
  type ShortOf,
} from './breach.ts'
export { ceilingsAmong, limitsUnder, mostUnder, tightestCeilings } from './ceilings.ts'
export type { ClosingRoom } from './closing-room.ts'
export { closingSpanMs } from './closing-span.ts'
export type * from './control-store.ts'
export { reportInPhase, reserveInPhase } from './cost-phase.ts'
export {
  type Announced,
  type Crossing,
  crossingsAt,
  type LimitCrossing,
  NOTHING_ANNOUNCED,
  nextMark,
} from './crossing.ts'
export { type Ask, type Breaches, type Decision, decide, withUnits } from './decide.ts'
export { decideSpawn, type SpawnAsk, type SpawnBalance, type SpawnDecision } from './decide-spawn.ts'
export { displayAmount, type Rounding } from './display-amount.ts'
export { amountAtUnits, type ElasticAsk, type ElasticRate, unitsWithin } from './elastic.ts'
export {
  type AmountFault,
  HolderDeadError,
  InvalidAmountError,
  InvalidNameError,
  ReservationConflictError,
  ScopeExistsError,
  showValue,
  TooManyScopesError,
  UnknownScopeError,
} from './errors.ts'
export type {
  CallFields,
  EventFields,
  EventHeader,
  IncreaseFields,
  LimitFields,
  OpenedLimit,
  ProgressFields,
  WithOrWithoutLimit,
} from './event-fields.ts'
export { EVENT_NAMES, type EventName, type EventNameInput, parseEventName } from './event-names.ts'
export {
  type EventDraft,
  type EventMoment,
  type EventOf,
  type EventSubject,
  eventHeader,
  type HeaderDraft,
  type LimitEventDraft,
  limitEventFromBreach,
  limitEventFromCrossing,
  progressFields,
  type StintEvent,
} from './events.ts'
export { formatAmount, formatDuration, formatUsd } from './format-amount.ts'
export { formatMaximum } from './format-maximum.ts'
export {
  grownHold,
  type Hold,
  type HoldAsk,
  type HoldSizing,
  holdWithin,
  type ReserveHold,
  sizeHolds,
  trimHolds,
} from './hold.ts'
export { assertOneOf, assertWholeNumber, InvalidOptionError } from './invalid-option-error.ts'
export { isPlainObject } from './is-plain-object.ts'
export type * from './key-store.ts'
export type * from './ledger-store.ts'
export { type LeftOnPath, leftOnPath } from './left-on-path.ts'
export { compareLimits, DEFAULT_NEARING, DEFAULT_TIME_ZONE, type Limit, limitKey } from './limit.ts'
export { isLimitExceeded, LimitExceededError } from './limit-exceeded-error.ts'
export {
  describeRemedy,
  describeRemedyForClient,
  describeSource,
  type Layer,
  type LimitSource,
  type RemedyOptions,
} from './limit-source.ts'
export {
  COUNTER_METERS,
  type CounterMeter,
  isCertainInFlight,
  isCounterMeter,
  isElasticMeter,
  isMeter,
  METER_NAMES,
  METERS,
  type Meter,
  type MeterKind,
  type Unit,
} from './meter.ts'
export type { PauseRecord } from './pause-record.ts'
export type { Cancel, Clock, CreateId, Random, TimerOptions } from './ports.ts'
export {
  type Charge,
  type ChargeAnomaly,
  chargeFor,
  type ReportedAmounts,
  type ReservationState,
  type Transition,
  transitionTo,
} from './reservation.ts'
export { roomToRaise } from './room-to-raise.ts'
export { createRoster, type Roster } from './roster.ts'
export { assertScopeName, childPath, levelBelow, SCOPE_KINDS, type ScopeKind } from './scope.ts'
export type { LimitReading, ScopeReading, TotalReading } from './scope-reading.ts'
export { countStatuses, END_STATUSES, type EndStatus, groupStatus, isEnded, STATUSES, type Status } from './status.ts'
export { runThrough, type Steps } from './steps.ts'
export { ERROR_CODES, type ErrorCode, isStintError, StintError } from './stint-error.ts'
export { assertStorableText, isStorableText, storableText, storableTextOrNull } from './storable-text.ts'
export { suggestName } from './suggest-name.ts'
export { UnknownEventError } from './unknown-event-error.ts'
export {
  clockReading,
  type MeterUsage,
  type RunningClocks,
  type UsageSources,
  usageRecord,
  type WindowUsage,
} from './usage-record.ts'
export { isTimeZone, PERIODS, type Period, type Window, windowAt } from './window.ts'
