import type { Announced } from './crossing.ts'
import type { Limit } from './limit.ts'
import type { CounterMeter } from './meter.ts'
import type { PauseRecord } from './pause-record.ts'
import type { ScopeKind } from './scope.ts'
import type { Status } from './status.ts'

/** How a scope stands. */
export interface ScopeReading {
  readonly id: string
  readonly parentId: string | null
  readonly name: string
  readonly path: string
  readonly kind: ScopeKind
  readonly level: number
  readonly owner: string | null
  /** Whether its owner is known to be dead: nobody runs it until it is adopted. */
  readonly isOrphaned: boolean
  readonly status: Status
  readonly openedAtMs: number
  readonly closedAtMs: number | null
  readonly labels: Readonly<Record<string, string>>
  readonly pause: PauseRecord | null
  /** How long it had worked when that was last written. */
  readonly activeMs: number
  readonly openChildren: number
  /** Ascending with every change of the limits. */
  readonly revision: number
  readonly totals: Readonly<Record<CounterMeter, TotalReading>>
  readonly limits: readonly LimitReading[]
  /** What no raise, grant or adoption takes a limit of it above. */
  readonly ceilings: readonly Limit[]
}

/** What a counter has come to over the whole life of a scope. */
export interface TotalReading {
  readonly settled: number
  readonly reserved: number
  /** How much of `settled` is only assumed, where somebody has looked that up: a store doesn't. */
  readonly assumed?: number
}

/** How a limit stands in its present window. Levels and clocks are counted by nobody here: they read as unused. */
export interface LimitReading {
  readonly limit: Limit
  readonly settled: number
  /** How much of `settled` is only assumed, where somebody has looked that up: a store doesn't. */
  readonly assumed?: number
  readonly reserved: number
  readonly held: number
  readonly remaining: number
  readonly overrun: number
  readonly resetsAt: number | null
  readonly announced: Announced
}
