import { isOneOf } from '../../core/checks/is-one-of.ts'
import { isPlainObject } from '../../core/checks/is-plain-object.ts'
import { suggestName } from '../../core/checks/suggest-name.ts'
import { showValue } from '../../core/errors.ts'
import type { Meter } from '../../core/meter.ts'
import type { LimitCollector } from '../formats/limit-collector.ts'
import type { SetEntry } from '../formats/parsed-limits.ts'
import { type Reading, type Refusal, read, refuse } from '../formats/reading-result.ts'
import { allowsPeriod, findNamedLimit, type NamedLimit } from './limit-names.ts'
import { readAction, readNearing, readPeriod, readTimeZone } from './limit-settings.ts'
import { readAmount } from './read-amount.ts'
import { type FieldPath, type ParseOptions, placeAt, sourceAt } from './written-at.ts'

/** The fields of a limit that is written as an object. */
const DETAIL_FIELDS = ['max', 'per', 'timeZone', 'action', 'nearing', 'basis'] as const

/** The meter that `tokens` means with each basis. */
export const TOKEN_BASES = {
  all: 'tokens',
  output: 'outputTokens',
  uncached: 'uncachedTokens',
} as const satisfies Record<string, Meter>

/** How many limits a list may hold. */
export const MOST_LISTED = 16

/** Reads the value of one limit in an object: a maximum, details, a list of both, or a removal. */
export function readLimit(
  limit: NamedLimit,
  value: unknown,
  path: FieldPath,
  options: ParseOptions,
  collector: LimitCollector,
): void {
  const isNative = (options.format ?? 'native') === 'native'
  if (value === null || value === 'unlimited' || (value === false && options.allowFalse === true)) {
    collector.addEntry({ kind: 'removal', meter: limit.meter, source: sourceAt(options, limit.name, path) })
  } else if (isNative && Array.isArray(value) && value.length > 0 && allowsPeriod(limit.meter)) {
    readList(limit, value, path, options, collector)
  } else if (isNative && isPlainObject(value)) {
    readDetail(limit, value, path, options, collector)
  } else {
    readMaximum(limit, value, path, options, collector)
  }
}

function readList(
  limit: NamedLimit,
  list: readonly unknown[],
  path: FieldPath,
  options: ParseOptions,
  collector: LimitCollector,
): void {
  if (list.length > MOST_LISTED) {
    const refusal = refuse(`${showValue(list)} is too long. Write one limit per period, at most ${MOST_LISTED}.`)
    collector.problems.refuse(placeAt(options, limit.name, path), list, refusal)
    return
  }
  for (const [index, item] of list.entries()) {
    const itemPath = [...path, index]
    if (isPlainObject(item)) readDetail(limit, item, itemPath, options, collector)
    else readMaximum(limit, item, itemPath, options, collector)
  }
}

function readMaximum(
  limit: NamedLimit,
  value: unknown,
  path: FieldPath,
  options: ParseOptions,
  collector: LimitCollector,
): void {
  const reading = value === false ? refuseFalse() : readAmount(limit, value)
  const source = sourceAt(options, limit.name, path)
  if (reading.ok) collector.addEntry(entryOf(limit.meter, reading.value, source))
  else collector.problems.refuse(placeAt(options, limit.name, path), value, reading)
}

function refuseFalse(): Refusal {
  return refuse('false clears a limit only in agent files and overrides. Write null to remove the limit.')
}

function readDetail(
  limit: NamedLimit,
  detail: Readonly<Record<string, unknown>>,
  path: FieldPath,
  options: ParseOptions,
  collector: LimitCollector,
): void {
  let hasProblem = false
  const take = <Value>(field: string, readField: (value: unknown) => Reading<Value>): Value | null => {
    const value = Object.hasOwn(detail, field) ? detail[field] : undefined
    if (value === undefined && field !== 'max') return null
    const reading = readField(value)
    if (reading.ok) return reading.value
    hasProblem = true
    collector.problems.refuse(placeAt(options, limit.name, [...path, field]), value, reading)
    return null
  }
  for (const field of Object.keys(detail).slice(0, MOST_KEYS)) {
    if (!isOneOf(field, DETAIL_FIELDS)) take(field, () => refuseField(field))
  }
  const meter = take('basis', (value) => readBasis(value, limit)) ?? limit.meter
  const max = take('max', (value) => readDetailMaximum(limit, value))
  const per = take('per', (value) => readPeriod(value, limit.meter))
  const timeZone = take('timeZone', (value) => readZoneOfPeriod(value, detail))
  const action = take('action', (value) => readAction(value))
  const nearing = take('nearing', readNearing)
  if (hasProblem || max === null) return
  const source = sourceAt(options, limit.name, [...path, 'max'])
  collector.addEntry({ ...entryOf(meter, max, source), per, timeZone, action, nearing })
}

function readDetailMaximum(limit: NamedLimit, value: unknown): Reading<number> {
  if (value === null || value === false || value === 'unlimited') {
    return refuse(
      `${showValue(value)} is not a maximum. To remove the limit, write ${limit.name}: null instead of an object.`,
    )
  }
  if (value === undefined) return refuse("max is missing. Write the limit's maximum, e.g. { max: 25 }.")
  return readAmount(limit, value)
}

function readZoneOfPeriod(value: unknown, detail: Readonly<Record<string, unknown>>): Reading<string> {
  if (Object.hasOwn(detail, 'per') && detail.per !== undefined) return readTimeZone(value)
  return refuse(`${showValue(value)} has no effect without a period. Add per, e.g. per: "day", or leave it out.`)
}

function readBasis(value: unknown, limit: NamedLimit): Reading<Meter> {
  if (limit.meter !== 'tokens') return refuse(`${limit.name} has no basis: only tokens has one. Leave it out.`)
  if (typeof value === 'string' && Object.hasOwn(TOKEN_BASES, value)) {
    return read(TOKEN_BASES[value as keyof typeof TOKEN_BASES])
  }
  const words = Object.keys(TOKEN_BASES)
  const suggestion = typeof value === 'string' ? suggestName(value, words) : null
  return refuse(`Unknown basis ${showValue(value)}. Write ${words.join(', ')}.`, suggestion)
}

function refuseField(field: string): Refusal {
  const suggestion = suggestName(field, findNamedLimit(field) === null ? DETAIL_FIELDS : [])
  return refuse(`Unknown field ${showValue(field)}. The fields of a limit are ${DETAIL_FIELDS.join(', ')}.`, suggestion)
}

function entryOf(meter: Meter, max: number, source: SetEntry['source']): SetEntry {
  return { kind: 'set', meter, max, per: null, timeZone: null, action: null, nearing: null, source }
}

/**
 * How many keys of an object are looked at. There are fewer names than that, so an object with more keys has a wrong
 * one among the first and is refused, without a look at a million others.
 */
export const MOST_KEYS = 100
