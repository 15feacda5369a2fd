import type { Vector } from './meters.ts'

/** What was counted of a scope, over its life or in one window. */
export interface Tally {
  readonly settled: Vector
  readonly reserved: Vector
  /** What the provider and the tools say was really used. */
  readonly real: Vector
  /** The part of it by which an answer was larger than the provider's own cap. */
  readonly excess: Vector
}

/** A limit as it was written. */
export interface WrittenLimit {
  readonly meter: string
  readonly per: string | null
  readonly max: number
  readonly action: string
  readonly isCeiling: boolean
}

/** The same, and how much may really be spent under it. */
export interface WitnessLimit extends WrittenLimit {
  readonly key: string
  /** By the start of the window: what was spent or in flight already when the limit was lowered below it. */
  readonly floors: Map<number, number>
  held: number
}

/** A scope as the witness knows it. */
export interface WitnessScope {
  readonly id: string
  readonly name: string
  readonly parent: WitnessScope | null
  /** The root first. */
  readonly path: readonly WitnessScope[]
  readonly children: WitnessScope[]
  readonly kind: string
  owner: string | null
  isOrphaned: boolean
  status: 'running' | 'paused' | 'ended'
  /** Paused only by a question. */
  isAsking: boolean
  document: string | null
  limits: WitnessLimit[]
  /** The lowest of each meter and period: no limit is ever above it, whoever writes or grants what. */
  ceilings: readonly WrittenLimit[]
  /** How often limits were written. */
  revision: number
  readonly life: Tally
  /** By period and start; only of scopes that have a limit with a period. */
  readonly windows: Map<string, Tally>
  readonly periods: ReadonlySet<string>
  hasPlace: boolean
  openChildren: number
  /** How often a pause of it was lifted, whoever did it. */
  resumes: number
  /** Whether it has ever asked for a hold. */
  mayHold: boolean
}

/** What a settlement of a reservation must charge, as far as is known. */
export type Expected =
  /** Nobody has heard of the usage: everything that was reserved. */
  | { readonly kind: 'worst' }
  | { readonly kind: 'exact'; readonly amounts: Vector }
  /** Nothing was sent, or the provider refused it. */
  | { readonly kind: 'nothing' }

export interface WitnessReservation {
  readonly id: string
  readonly scope: WitnessScope
  readonly holder: string
  readonly atMs: number
  readonly amounts: Vector
  readonly units: number
  readonly isClosing: boolean
  state: 'open' | 'settled' | 'released' | 'assumed'
  charged: Vector | null
  /** Whether something was sent or run under it. */
  isUsed: boolean
  /** Whether what it used is known, or would be if somebody asked: a model call that is under way or was cut is not. */
  isKnown: boolean
  expected: Expected
}

/** A request for more that nobody has answered. */
export interface WitnessRequest {
  readonly id: string
  readonly scopeId: string
  readonly meter: string
  readonly per: string | null
  /** The limit when it was asked. */
  readonly limit: number
}
