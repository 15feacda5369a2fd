import { isOneOf } from '../../core/checks/is-one-of.ts'
import { findNamedLimit } from '../limits/limit-names.ts'
import {
  ACTION_WORDS,
  PUBLISHED_ACTION_WORDS,
  readAction,
  readNearing,
  readTimeZone,
} from '../limits/limit-settings.ts'
import { MOST_KEYS, readLimit } from '../limits/read-limit.ts'
import { refuseName, SCOPE_FIELDS } from '../limits/refuse-name.ts'
import { type FieldPath, type ParseOptions, placeAt, sourceAt } from '../limits/written-at.ts'
import type { LimitCollector } from './limit-collector.ts'
import type { Reading } from './reading-result.ts'

type ScopeField = (typeof SCOPE_FIELDS)[number]

/** Reads every key of one object, by the names of its format. */
export function readLimitsObject(
  object: Readonly<Record<string, unknown>>,
  path: FieldPath,
  options: ParseOptions,
  collector: LimitCollector,
): void {
  const format = options.format ?? 'native'
  for (const key of Object.keys(object).slice(0, MOST_KEYS)) {
    const value = object[key]
    const keyPath = [...path, key]
    const limit = findNamedLimit(key, format)
    if (limit !== null) readLimit(limit, value, keyPath, options, collector)
    else if (isScopeField(key, format)) readScopeField(key, value, keyPath, options, collector)
    else collector.problems.refuse(placeAt(options, key, keyPath), value, refuseName(key, format, 'object'))
  }
}

function isScopeField(key: string, format: NonNullable<ParseOptions['format']>): key is ScopeField {
  if (format === 'execution_limits') return key === 'timeout_action'
  return format === 'native' && isOneOf(key, SCOPE_FIELDS)
}

function readScopeField(
  field: ScopeField,
  value: unknown,
  path: FieldPath,
  options: ParseOptions,
  collector: LimitCollector,
): void {
  // Code often passes an unset default on. A limit itself must have a value.
  if (value === undefined) return
  const source = sourceAt(options, field, path)
  const use = <Value>(reading: Reading<Value>, apply: (value: Value) => void): void => {
    if (reading.ok) apply(reading.value)
    else collector.problems.refuse(placeAt(options, field, path), value, reading)
  }
  if (field === 'nearing') use(readNearing(value), (thresholds) => collector.setNearing(thresholds, source))
  else if (field === 'timeZone') use(readTimeZone(value), (name) => collector.setTimeZone(name, source))
  else {
    const words = field === 'timeout_action' ? PUBLISHED_ACTION_WORDS : ACTION_WORDS
    use(readAction(value, words), (action) => collector.setOnLimit(action, source))
  }
}
