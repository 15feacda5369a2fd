import type { Breach, Breaches, EndStatus, Status } from '../../core/index.ts'
import { isUnattended, type Pause } from '../steering/pause.ts'

/**
 * The lifecycle state of a scope in this process: who owns it, whether it is working, paused or over, and which limits
 * stopped it. Only `reduce` creates a new one, and only `changeLifecycle` writes it.
 */
export interface Lifecycle {
  readonly status: Status
  /** It has ended, or continues without us: nothing changes it any more. */
  readonly isOver: boolean
  /** Whether its loop runs here. A lasting scope has none; other scopes are run by another process. */
  readonly isOwned: boolean
  /** The process that runs it, as far as known here; `null` for a lasting scope. */
  readonly owner: string | null
  readonly pause: Pause | null
  /** The pause that a raise has lifted, until the scope works again or is resumed. */
  readonly lifted: Pause | null
  /** Why nothing more is admitted, though the scope has not ended yet. */
  readonly halt: Breaches | null
  /** The limits, of any scope, that refused or stopped one of its calls for good. */
  readonly stoppedBy: Breaches | null
  /** Why it has ended, in words; `null` if it has not, or another process ended it. */
  readonly endReason: string | null
  /**
   * How often it was paused, resumed, adopted or given other limits here: anything read from the store before is out of
   * date.
   */
  readonly moves: number
}

/** Something that happened to a scope. `isReported` and `by` are for the records, and change nothing else. */
export type Fact =
  /** It was only registered, and has now been opened. */
  | { readonly kind: 'begun' }
  /** A person, a limit or a request paused it; if it is paused already, the reason or conversation is updated. */
  | { readonly kind: 'paused'; readonly pause: Pause; readonly isReported: boolean }
  /** The request it was paused for is answered, and it is paused for another one. */
  | { readonly kind: 'asked-other'; readonly request: string }
  /** It continues. `isLifted`: because a limit was raised, so that a resume may still follow. */
  | { readonly kind: 'resumed'; readonly isLifted: boolean; readonly isTold: boolean; readonly by: string | null }
  /** A scope that a raise let continue was resumed, or works again: no further resume is expected. */
  | { readonly kind: 'claimed' }
  /** A limit admits nothing more. */
  | { readonly kind: 'halted'; readonly breaches: Breaches }
  /** Limits refused or stopped one of its calls for good. */
  | { readonly kind: 'stopped'; readonly breaches: Breaches }
  /** One of its calls was admitted while nothing on its path is halted: what had stopped it is over. */
  | { readonly kind: 'admitted' }
  /** Limits were raised: breaches for which `isMended` is true are over. */
  | { readonly kind: 'mended'; readonly isMended: (breach: Breach) => boolean }
  /** Something was written to the store that no other fact covers. */
  | { readonly kind: 'steered' }
  /** Its loop runs here from now on, or still does under another holder. */
  | { readonly kind: 'adopted'; readonly holder: string }
  /** Another process has it from now on, and it may come back with any request. What is in flight here finishes. */
  | { readonly kind: 'handed-over'; readonly owner: string | null }
  /** The process that runs it, according to the store. Ignored for our own scopes. */
  | { readonly kind: 'owner-read'; readonly owner: string | null }
  /** It continues without us. */
  | { readonly kind: 'left'; readonly status: Status }
  | { readonly kind: 'ended'; readonly status: EndStatus; readonly reason: string | null }

/** Used with every admitted call, so it is created only once. */
export const CLAIMED: Fact = { kind: 'claimed' }
export const ADMITTED: Fact = { kind: 'admitted' }

/** The lifecycle of a scope that was just opened or found. `isQueued`: it is only registered so far. */
export function beginLife({ isOwned, owner }: Pick<Lifecycle, 'isOwned' | 'owner'>, isQueued = false): Lifecycle {
  return {
    status: isQueued ? 'queued' : 'running',
    isOver: false,
    isOwned,
    owner,
    pause: null,
    lifted: null,
    halt: null,
    stoppedBy: null,
    endReason: null,
    moves: 0,
  }
}

/** Applies a fact: returns the same object if nothing changes. An ended scope does not change. */
export function reduce(life: Lifecycle, fact: Fact): Lifecycle {
  if (life.isOver) return life
  const moves = life.moves + 1
  switch (fact.kind) {
    case 'begun':
      return life.status === 'queued' ? { ...life, status: 'running' } : life
    case 'paused':
      return { ...life, status: 'paused', pause: joinPauses(life.pause, fact.pause), lifted: null, moves }
    case 'asked-other':
      if (life.pause === null || life.pause.request === null || life.pause.request === fact.request) return life
      return { ...life, pause: { ...life.pause, request: fact.request } }
    case 'resumed':
      return life.pause === null ? life : { ...resume(life, life.pause, fact.isLifted), moves }
    case 'claimed':
      return life.lifted === null ? life : { ...life, lifted: null }
    case 'halted':
      return life.halt === null ? { ...life, halt: fact.breaches } : life
    case 'stopped':
      return life.stoppedBy === null ? { ...life, stoppedBy: fact.breaches } : life
    case 'admitted':
      return life.stoppedBy === null ? life : { ...life, stoppedBy: null }
    case 'mended':
      return mend(life, fact.isMended)
    case 'steered':
      return { ...life, moves }
    case 'adopted':
      return { ...life, isOwned: true, owner: fact.holder, moves }
    case 'handed-over':
      return { ...life, isOwned: false, owner: fact.owner, moves }
    case 'owner-read':
      return life.isOwned || life.owner === fact.owner ? life : { ...life, owner: fact.owner }
    case 'left':
      return { ...life, status: fact.status, isOver: true, pause: null, lifted: null }
    case 'ended':
      return { ...life, status: fact.status, isOver: true, pause: null, lifted: null, endReason: fact.reason }
  }
}

/**
 * A pause by a person or a limit outlasts a request that was open before it, unless the loops end with that request
 * anyway. Otherwise the first reason stays.
 */
function joinPauses(first: Pause | null, second: Pause): Pause {
  if (first === null) return second
  const outlasts = first.request !== null && !isUnattended(first) && second.request === null
  const { breaches, reason, request } = outlasts ? second : first
  const conversation = second.conversation ?? first.conversation
  return { ...first, breaches, reason, request, loopEnds: second.loopEnds || first.loopEnds, conversation }
}

function resume(life: Lifecycle, pause: Pause, isLifted: boolean): Lifecycle {
  const stoppedBy = life.stoppedBy === pause.breaches ? null : life.stoppedBy
  return { ...life, status: 'running', pause: null, lifted: isLifted ? pause : null, stoppedBy }
}

/** While another limit still halts it, what had stopped its calls does not matter. */
function mend(life: Lifecycle, isMended: (breach: Breach) => boolean): Lifecycle {
  const halt = life.halt?.some(isMended) === true ? null : life.halt
  const stoppedBy = halt === null && life.stoppedBy?.some(isMended) === true ? null : life.stoppedBy
  return halt === life.halt && stoppedBy === life.stoppedBy ? life : { ...life, halt, stoppedBy }
}

/** The status of a scope that ends without a given one: that of the limit that halted it, or completed. */
export function statusAtEnd({ halt, stoppedBy }: Lifecycle): EndStatus {
  const stopped = halt ?? stoppedBy
  return stopped === null ? 'completed' : statusAtLimit(stopped)
}

/**
 * The status of a scope that ends with a given one. The first cause decides: a scope that a limit ended stays so,
 * whatever comes later, unless its work was done all the same. One that a limit only paused may end otherwise.
 */
export function statusAfter({ halt, stoppedBy }: Lifecycle, given: EndStatus, hasEndedWork: boolean): EndStatus {
  const cause = halt ?? (stoppedBy?.[0].action === 'pause' ? null : stoppedBy)
  if (cause === null || (given === 'completed' && hasEndedWork)) return given
  return statusAtLimit(cause)
}

function statusAtLimit([{ meter }]: Breaches): EndStatus {
  return meter === 'wallTime' ? 'timed-out' : 'limit-reached'
}
