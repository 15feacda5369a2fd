import { StintError } from './stint-error.ts'

/** Shows any value in a message: short, on one line, with its type visible. */
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

/** Names a Map, Set or promise that was passed instead of a plain object. */
function showObject(value: unknown): string {
  if (value instanceof Map) return 'a Map'
  if (value instanceof Set) return 'a Set'
  return value instanceof Promise ? 'a promise' : 'an object'
}

/** Even `Array.isArray` throws for a revoked proxy. */
function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/** The holder was declared dead: its open reservations are charged, and it can't start anything new. */
export class HolderDeadError extends StintError<'holder_dead'> {
  readonly holder: string

  constructor(holder: string) {
    super(
      'holder_dead',
      `The holder ${showValue(holder)} was declared dead, because its process was gone or silent for too long. What it ` +
        'had reserved is charged in full until it is settled, and it cannot start anything new. Use another holder; a ' +
        'governor does so automatically.',
    )
    this.holder = holder
  }
}

export type AmountFault = 'unknown-meter' | 'not-an-amount' | 'not-elastic'

/** An amount that isn't a whole, non-negative number, or isn't for a counter. */
export class InvalidAmountError extends StintError<'invalid_amount'> {
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

/** A scope name that could be mistaken for a path or can't be displayed. */
export class InvalidNameError extends StintError<'invalid_name'> {
  readonly value: unknown

  constructor(value: unknown, reason: string) {
    super('invalid_name', `The scope name ${showValue(value)} ${reason}. A valid name: "triage" or "team:core".`)
    this.value = value
  }
}

export class UnknownScopeError extends StintError<'unknown_scope'> {
  readonly scopeId: string

  constructor(scopeId: string) {
    super('unknown_scope', `No scope has the id ${showValue(scopeId)}. Open it first, or check the id.`)
    this.scopeId = scopeId
  }
}

/** An open scope has this id with a different parent or name. */
export class ScopeExistsError extends StintError<'scope_exists'> {
  readonly scopeId: string

  constructor(scopeId: string) {
    super('scope_exists', `A scope with the id ${showValue(scopeId)} already exists. Give each scope its own id.`)
    this.scopeId = scopeId
  }
}

/** A reservation id was reused for something else, or after it finished. */
export class ReservationConflictError extends StintError<'reservation_conflict'> {
  readonly reservationId: string

  constructor(reservationId: string) {
    super(
      'reservation_conflict',
      `The reservation id ${showValue(reservationId)} was already used, for another request or a finished one. Give each attempt its own id.`,
    )
    this.reservationId = reservationId
  }
}

/** Too many scopes in one request, or too many levels. */
export class TooManyScopesError extends StintError<'too_many_scopes'> {
  constructor(what: 'group' | 'depth', most: number) {
    super(
      'too_many_scopes',
      what === 'group'
        ? `One request opens at most ${most} scopes. Open the rest in separate requests.`
        : `A scope has at most ${most} ancestors. Set a depth limit so that agents stop delegating earlier.`,
    )
  }
}
