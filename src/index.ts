// The words, the refusals and the port. What only stores and governors need is in `stint/core`.
export {
  type Action,
  type Amounts,
  type Breach,
  type CounterMeter,
  type ErrorCode,
  isLimitExceeded,
  isStintError,
  type Layer,
  type LedgerStore,
  type Limit,
  LimitExceededError,
  type LimitSource,
  METERS,
  type Meter,
  NANO_USD_PER_USD,
  type Period,
  type Status,
  StintError,
} from './core/index.ts'
export * from './governor/index.ts'
export * from './policy/index.ts'
export * from './pricing/index.ts'
export * from './stores/memory/index.ts'
