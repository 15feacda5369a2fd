import { StintError } from './stint-error.ts'

/** Shows any value in a message: short, on one line, told apart by type. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}…` : value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) {
    return String(value)
  }
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  return isList(value) ? showList(value) : showObject(value)
}

function showList({ length }: readonly unknown[]): string {
  return length === 0 ? '[]' : `a list of ${length}`
}

/** A Map or a promise where an object is meant is told apart from one. */
function showObject(value: unknown): string {
  if (value instanceof Map) return 'a Map'
  if (value instanceof Set) return 'a Set'
  return value instanceof Promise ? 'a promise' : 'an object'
}

/** A proxy that was revoked throws at every question, also at this one. */
function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/** Somebody declared the holder dead: what it had open is charged, and nothing more begins under it. */
export class HolderDeadError extends StintError {
  readonly holder: string

  constructor(holder: string) {
    super(
      'holder_dead',
      `The holder ${showValue(holder)} was declared dead, because its process was gone or silent for too long. What it ` +
        'had reserved is charged in full until it is settled, and nothing more begins under it. Take another holder; a ' +
        'governor does so by itself.',
    )
    this.holder = holder
  }
}

export type AmountFault = 'unknown-meter' | 'not-an-amount' | 'not-elastic'

/** An amount that is no whole, non-negative number of a counter. */
export class InvalidAmountError extends StintError {
  readonly place: string
  readonly meter: string
  readonly value: unknown

  constructor(problem: { place: string; meter: string; value: unknown; reason: AmountFault }) {
    super('invalid_amount', amountFaultText(problem))
    this.place = problem.place
    this.meter = problem.meter
    this.value = problem.value
  }
}

function amountFaultText(problem: { place: string; meter: string; value: unknown; reason: AmountFault }): string {
  const { place, meter, value, reason } = problem
  if (reason === 'unknown-meter') {
    return `${place}: ${showValue(meter)} is not a counter. Amounts are given per counter, e.g. { toolCalls: 1, tokens: 1200 }.`
  }
  if (reason === 'not-elastic') {
    return (
      `${place}: ${meter} is ${value}, but an elastic part has whole numbers with least ≤ enough ≤ most, ` +
      'and one rate of whole numbers for each counter.'
    )
  }
  return `${place}: ${meter} is ${showValue(value)}, but an amount is a whole number from 0 to 2^53 - 1 (money in nano-USD).`
}

/** A name of a scope that could be mistaken for a path or cannot be shown. */
export class InvalidNameError extends StintError {
  readonly value: unknown

  constructor(value: unknown, reason: string) {
    super('invalid_name', `The scope name ${showValue(value)} ${reason}. A valid name: "triage" or "team:core".`)
    this.value = value
  }
}

/** The store knows no scope with this id. */
export class UnknownScopeError extends StintError {
  readonly scopeId: string

  constructor(scopeId: string) {
    super('unknown_scope', `No scope has the id ${showValue(scopeId)}. Open it first, or check the id.`)
    this.scopeId = scopeId
  }
}

/** A scope with this id is open already, with another parent or name. */
export class ScopeExistsError extends StintError {
  readonly scopeId: string

  constructor(scopeId: string) {
    super('scope_exists', `A scope with the id ${showValue(scopeId)} exists already. Give each scope an id of its own.`)
    this.scopeId = scopeId
  }
}

/** A reservation id was used again for something else, or after its end. */
export class ReservationConflictError extends StintError {
  readonly reservationId: string

  constructor(reservationId: string) {
    super(
      'reservation_conflict',
      `The reservation id ${showValue(reservationId)} was used before, for another request or one that is finished. Give each attempt an id of its own.`,
    )
    this.reservationId = reservationId
  }
}

/** More scopes than one request may open, or a tree deeper than any path may be. */
export class TooManyScopesError extends StintError {
  constructor(what: 'group' | 'depth', most: number) {
    super(
      'too_many_scopes',
      what === 'group'
        ? `One request opens at most ${most} scopes. Open the rest in further requests.`
        : `A scope has at most ${most} ancestors. Set a depth limit so that agents stop delegating earlier.`,
    )
  }
}
