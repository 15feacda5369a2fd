export { type AgingMap, createAgingMap } from './aging-map.ts'
export { type AlertFields, endsAlertFields, rateAlertFields, shareAlertFields } from './alerts/alert-fields.ts'
export {
  ALERT_PERIODS,
  type AlertPeriod,
  type AlertRule,
  assertAlertRules,
  BAD_ENDS,
  type BadEnd,
  DEFAULT_ALERTS,
  type EndsRule,
  isAlertName,
  MOST_ALERTS,
  type RateRule,
  type ShareRule,
} from './alerts/alert-rule.ts'
export { addToRate, createRate, mayRaiseAgain, type Rate, totalOfRate } from './alerts/rate.ts'
export { nextShareMark, passedShares } from './alerts/share.ts'
export { addedAmounts } from './amounts/added-amounts.ts'
export {
  type AmountVector,
  amountsFromVector,
  counterIndex,
  vectorFromAmounts,
  zeroVector,
} from './amounts/amount-vector.ts'
export { type Amounts, addAmount, isAmount, NANO_USD_PER_USD } from './amounts/amounts.ts'
export { reportInPhase, reserveInPhase } from './amounts/cost-phase.ts'
export { displayAmount, type Rounding } from './amounts/display-amount.ts'
export { formatAmount, formatDuration, formatUsd } from './amounts/format-amount.ts'
export { formatMaximum } from './amounts/format-maximum.ts'
export {
  clockReading,
  type MeterUsage,
  type RunningClocks,
  type UsageSources,
  usageRecord,
  type WindowUsage,
} from './amounts/usage-record.ts'
export { assertAmounts } from './checks/assert-amounts.ts'
export { assertElastic, assertRates } from './checks/assert-elastic.ts'
export {
  assertKnownOptions,
  type OptionNames,
  optionNames,
  UnknownOptionError,
} from './checks/assert-known-options.ts'
export { assertLabel, assertLabels } from './checks/assert-labels.ts'
export { assertCeilings, assertLimits } from './checks/assert-limits.ts'
export { assertTime } from './checks/assert-time.ts'
export { assertOneOf, assertWholeNumber, InvalidOptionError } from './checks/invalid-option-error.ts'
export { isPlainObject } from './checks/is-plain-object.ts'
export { keptText } from './checks/kept-text.ts'
export { assertStorableText, isStorableText, storableText, storableTextOrNull } from './checks/storable-text.ts'
export { suggestName } from './checks/suggest-name.ts'
export { assumedAmount } from './decide/assumed-amount.ts'
export {
  balanceKey,
  balanceOf,
  type Counter,
  freeOn,
  type LimitBalance,
  overrunOf,
  remainingOf,
  type ScopeBalance,
} from './decide/balance.ts'
export type { ClosingRoom } from './decide/closing-room.ts'
export { closingSpanMs } from './decide/closing-span.ts'
export {
  type Announced,
  type Crossing,
  crossingsAt,
  type LimitCrossing,
  NOTHING_ANNOUNCED,
  nextMark,
} from './decide/crossing.ts'
export { type Ask, type Breaches, type Decision, decide, withUnits } from './decide/decide.ts'
export { decideSpawn, type SpawnAsk, type SpawnBalance, type SpawnDecision } from './decide/decide-spawn.ts'
export { amountAtUnits, type ElasticAsk, type ElasticRate, unitsWithin } from './decide/elastic.ts'
export {
  grownHold,
  type Hold,
  type HoldAsk,
  type HoldSizing,
  holdWithin,
  type ReserveHold,
  sizeHolds,
  trimHolds,
} from './decide/hold.ts'
export { type LeftOnPath, leftOnPath } from './decide/left-on-path.ts'
export { roomToRaise } from './decide/room-to-raise.ts'
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
} from './events/event-fields.ts'
export { EVENT_NAMES, type EventName, parseEventName } from './events/event-names.ts'
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
  limitEventsFromCrossing,
  progressFields,
  type StintEvent,
} from './events/events.ts'
export { UnknownEventError } from './events/unknown-event-error.ts'
export { runThrough, type Steps } from './interruptible-work.ts'
export { ACTIONS, type Action, DEFAULT_ACTION, endsInClosingCall, isEnforced } from './limits/action.ts'
export {
  type Breach,
  breachOf,
  describeBreach,
  type LimitStanding,
  messageForChild,
  messageForClient,
  type ShortOf,
} from './limits/breach.ts'
export { ceilingsAmong, limitsUnder, mostUnder, tightestCeilings } from './limits/ceilings.ts'
export { compareLimits, DEFAULT_NEARING, DEFAULT_TIME_ZONE, type Limit, limitKey } from './limits/limit.ts'
export { isSameButSource, type LimitChange, limitChanges } from './limits/limit-changes.ts'
export { isLimitExceeded, LimitExceededError } from './limits/limit-exceeded-error.ts'
export {
  describeRemedy,
  describeRemedyForClient,
  describeSource,
  type Layer,
  type LimitSource,
  type RemedyOptions,
} from './limits/limit-source.ts'
export { isTimeZone, PERIODS, type Period, type Window, windowAt } from './limits/window.ts'
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
export {
  addedParts,
  CALL_COSTS,
  type CallCosts,
  COST_PARTS,
  type CostPart,
  type CostParts,
  keptCosts,
  totalOf,
} from './ports/call-costs.ts'
export {
  CALL_ENDINGS,
  type CallEnding,
  type CallFacts,
  type CallResult,
  keptCallFacts,
  keptCallResult,
} from './ports/call-facts.ts'
export type { Cancel, Clock, CreateId, Random } from './ports/clock-and-ids.ts'
export type * from './ports/control-store.ts'
export type * from './ports/history-store.ts'
export { type HourSum, mergedSums } from './ports/hour-sum.ts'
export type * from './ports/key-store.ts'
export { KEY_ROLES } from './ports/key-store.ts'
export type * from './ports/lease-store.ts'
export type * from './ports/ledger-store.ts'
export type { PauseRecord } from './ports/pause-record.ts'
export {
  type Charge,
  type ChargeAnomaly,
  chargeFor,
  type ReportedAmounts,
  type ReservationState,
  type Transition,
  transitionTo,
} from './ports/reservation.ts'
export { keptAbout, type ScopeAbout } from './ports/scope-about.ts'
export type { LimitReading, ScopeReading, TotalReading } from './ports/scope-reading.ts'
export { assertScopeName, childPath, levelBelow, SCOPE_KINDS, type ScopeKind } from './scope.ts'
export { createSlotList, type SlotList } from './slot-list.ts'
export { countStatuses, END_STATUSES, type EndStatus, groupStatus, isEnded, STATUSES, type Status } from './status.ts'
export { ERROR_CODES, type ErrorCode, isStintError, StintError } from './stint-error.ts'
