import type { Breach, Breaches, EndStatus, Status } from '../../core/index.ts'
import type { Pause } from '../steering/pause.ts'

/**
 * Where a scope stands in its life here: whose it is, whether it works, stands or is over, and which limits stopped it.
 * Only `reduce` makes a new one, and only `apply` writes it.
 */
export interface Lifecycle {
  readonly status: Status
  /** It has ended, or goes on without us: nothing changes it any more. */
  readonly isOver: boolean
  /** Whether its loop is ours. A lasting scope has none; others are run by another process. */
  readonly isOwned: boolean
  /** Who runs it, as far as is known here; `null` for a lasting scope. */
  readonly owner: string | null
  readonly pause: Pause | null
  /** The pause that a raise has lifted, until it works again or somebody resumes it. */
  readonly lifted: Pause | null
  /** Why nothing more is admitted, though the scope has not ended yet. */
  readonly halt: Breaches | null
  /** The limits, of whichever scope, that refused or stopped a call of it for good. */
  readonly stoppedBy: Breaches | null
  /** Why it has ended, in words; `null` while it has not, or where another process ended it. */
  readonly endReason: string | null
  /** How often it was paused, resumed, adopted or given other limits here: what was read of the store before is old. */
  readonly moves: number
}

/** Something that happened to a scope. `isTold` and `by` are for the records, and change nothing else. */
export type Fact =
  /** A person, a limit or a question paused it; one that is paused already is given another reason or conversation. */
  | { readonly kind: 'paused'; readonly pause: Pause; readonly isTold: boolean }
  /** The question that it stood for is answered, and it stands for another one. */
  | { readonly kind: 'asked-other'; readonly request: string }
  /** It goes on. `isLifted`: because a limit was raised, so that somebody may still come to resume it. */
  | { readonly kind: 'resumed'; readonly isLifted: boolean; readonly isTold: boolean; readonly by: string | null }
  /** Somebody has resumed it that a raise had let go on, or it works again: nobody else comes for that. */
  | { readonly kind: 'claimed' }
  /** A limit admits nothing more. */
  | { readonly kind: 'halted'; readonly breaches: Breaches }
  /** Limits refused or stopped a call of it for good. */
  | { readonly kind: 'stopped'; readonly breaches: Breaches }
  /** A call of it was admitted while nothing on its path is halted: what had stopped it is over. */
  | { readonly kind: 'admitted' }
  /** Limits were raised: breaches of which `isMended` is true are over. */
  | { readonly kind: 'mended'; readonly isMended: (breach: Breach) => boolean }
  /** Something of it was written to the store that the other facts do not say. */
  | { readonly kind: 'steered' }
  /** Its loop is ours from now on, or is still ours under another name. */
  | { readonly kind: 'adopted'; readonly holder: string }
  /** Who runs it, as the store says. Of a scope of ours we know better. */
  | { readonly kind: 'owner-read'; readonly owner: string | null }
  /** It goes on without us. */
  | { readonly kind: 'left'; readonly status: Status }
  | { readonly kind: 'ended'; readonly status: EndStatus; readonly reason: string | null }

/** Said with every call that is admitted, and therefore made only once. */
export const CLAIMED: Fact = { kind: 'claimed' }
export const ADMITTED: Fact = { kind: 'admitted' }

/** The life of a scope that has just been opened or found. */
export function beginLife({ isOwned, owner }: Pick<Lifecycle, 'isOwned' | 'owner'>): Lifecycle {
  return {
    status: 'running',
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

/** What a fact makes of a life: the same object where it changes nothing. What is over stays as it is. */
export function reduce(life: Lifecycle, fact: Fact): Lifecycle {
  if (life.isOver) return life
  const moves = life.moves + 1
  switch (fact.kind) {
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
    case 'owner-read':
      return life.isOwned || life.owner === fact.owner ? life : { ...life, owner: fact.owner }
    case 'left':
      return { ...life, status: fact.status, isOver: true, pause: null, lifted: null }
    case 'ended':
      return { ...life, status: fact.status, isOver: true, pause: null, lifted: null, endReason: fact.reason }
  }
}

/** A person's pause, or a limit's, outlasts a question that was open before it. Otherwise the first reason stays. */
function joinPauses(first: Pause | null, second: Pause): Pause {
  if (first === null) return second
  const { breaches, reason, request } = first.request !== null && second.request === null ? second : first
  const conversation = second.conversation ?? first.conversation
  return { ...first, breaches, reason, request, loopEnds: second.loopEnds || first.loopEnds, conversation }
}

function resume(life: Lifecycle, pause: Pause, isLifted: boolean): Lifecycle {
  const stoppedBy = life.stoppedBy === pause.breaches ? null : life.stoppedBy
  return { ...life, status: 'running', pause: null, lifted: isLifted ? pause : null, stoppedBy }
}

/** While another limit still halts it, what had stopped its calls says nothing. */
function mend(life: Lifecycle, isMended: (breach: Breach) => boolean): Lifecycle {
  const halt = life.halt?.some(isMended) === true ? null : life.halt
  const stoppedBy = halt === null && life.stoppedBy?.some(isMended) === true ? null : life.stoppedBy
  return halt === life.halt && stoppedBy === life.stoppedBy ? life : { ...life, halt, stoppedBy }
}

/** How a scope ends of which nobody says more: by the limit that halted it, or well. */
export function statusAtEnd({ halt, stoppedBy }: Lifecycle): EndStatus {
  const stopped = halt ?? stoppedBy
  return stopped === null ? 'completed' : statusAtLimit(stopped)
}

/**
 * How a scope ends of which somebody says how. The first cause is the status: what a limit has ended stays so, whatever
 * is said afterwards, except that its work was done all the same. What a limit has only paused may end otherwise.
 */
export function statusAfter({ halt, stoppedBy }: Lifecycle, said: EndStatus, hasEndedWork: boolean): EndStatus {
  const cause = halt ?? (stoppedBy?.[0].action === 'pause' ? null : stoppedBy)
  if (cause === null || (said === 'completed' && hasEndedWork)) return said
  return statusAtLimit(cause)
}

function statusAtLimit([{ meter }]: Breaches): EndStatus {
  return meter === 'wallTime' ? 'timed-out' : 'limit-reached'
}
