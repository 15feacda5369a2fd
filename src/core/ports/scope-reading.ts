import type { Announced } from '../decide/crossing.ts'
import type { Limit } from '../limits/limit.ts'
import type { CounterMeter } from '../meter.ts'
import type { ScopeKind } from '../scope.ts'
import type { Status } from '../status.ts'
import type { PauseRecord } from './pause-record.ts'
import type { ScopeAbout } from './scope-about.ts'

/** The current state of a scope. */
export interface ScopeReading {
  readonly id: string
  readonly parentId: string | null
  readonly name: string
  readonly path: string
  readonly kind: ScopeKind
  readonly level: number
  readonly owner: string | null
  /** Whether its owner is known to be dead: it doesn't run until it is adopted. */
  readonly isOrphaned: boolean
  readonly status: Status
  readonly openedAtMs: number
  readonly closedAtMs: number | null
  readonly labels: Readonly<Record<string, string>>
  /** What it is for and who started it; `null` if unknown. */
  readonly about: ScopeAbout | null
  readonly pause: PauseRecord | null
  /** How long it had worked when that was last written. */
  readonly activeMs: number
  readonly openChildren: number
  /** Increases with every change of the limits. */
  readonly revision: number
  readonly totals: Readonly<Record<CounterMeter, TotalReading>>
  readonly limits: readonly LimitReading[]
  /** Upper bounds for every raise, grant and adoption. */
  readonly ceilings: readonly Limit[]
}

/** The total of a counter over the life of a scope. */
export interface TotalReading {
  readonly settled: number
  readonly reserved: number
  /** The assumed part of `settled`, if it was looked up; stores don't. */
  readonly assumed?: number
}

/** The state of a limit in its current window. Stores don't count levels and clocks: they read as unused. */
export interface LimitReading {
  readonly limit: Limit
  readonly settled: number
  /** The assumed part of `settled`, if it was looked up; stores don't. */
  readonly assumed?: number
  readonly reserved: number
  readonly held: number
  readonly remaining: number
  readonly overrun: number
  readonly resetsAt: number | null
  readonly announced: Announced
}
