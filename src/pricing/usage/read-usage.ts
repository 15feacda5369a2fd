import { isAmount } from '../../core/amounts/amounts.ts'
import { CACHE_MARKS, type CacheMark } from '../call/cache-mark.ts'
import { reportedKinds } from '../estimate/media/reported-kinds.ts'
import type { UsageAnomaly, UsageReading } from './usage-reading.ts'
import type { UsagePaths, UsageShape } from './usage-shape.ts'

const MOST_DETAILS = 1_000

export interface ReadUsageOptions {
  /** The cache mark of the request: used for sources that don't report lifetimes. */
  readonly cacheMark?: CacheMark | undefined
}

/**
 * Normalizes a source's usage. Never throws and never guesses: an impossible value gives no usage and names the field
 * and the value.
 */
export function readUsage(raw: unknown, shape: UsageShape, options: ReadUsageOptions = {}): UsageReading {
  if (raw === undefined || raw === null) return { usage: null, anomalies: [] }
  if (typeof raw !== 'object') return refuse({ kind: 'malformed', field: 'usage', value: raw })
  const { cacheMark = 'none' } = options
  // Not thrown: a settlement is never refused, not even for a caller's mistake.
  if (!CACHE_MARKS.includes(cacheMark)) return refuse({ kind: 'malformed', field: 'cacheMark', value: cacheMark })
  for (const name of Object.keys(options)) {
    if (name !== 'cacheMark') return refuse({ kind: 'malformed', field: name, value: 'an unknown option' })
  }
  const anomalies: UsageAnomaly[] = []
  const count = (paths: UsagePaths | undefined) => readCount(raw, paths ?? [], anomalies)

  const input = count(shape.input)
  const output = count(shape.output) ?? (shape.outputMayBeMissing ? 0 : undefined)
  const extraInput = count(shape.extraInput) ?? 0
  const cacheReadTokens = count(shape.cacheRead) ?? 0
  const reasoningTokens = count(shape.reasoning) ?? 0
  const writes = cacheWrites(count(shape.cacheWrite), count(shape.cacheWrite5m), count(shape.cacheWrite1h), cacheMark)
  const total = count(shape.total)
  if (anomalies.length > 0) return { usage: null, anomalies }
  if (input === undefined) return refuse({ kind: 'missing', field: shape.input[0]!, value: undefined })
  if (output === undefined) return refuse({ kind: 'missing', field: shape.output[0]!, value: undefined })
  if (writes === null)
    return refuse({ kind: 'inconsistent', field: shape.cacheWrite![0]!, value: count(shape.cacheWrite) })

  const cached = cacheReadTokens + writes.cacheWriteTokens + writes.cacheWrite1hTokens
  const inputTokens = (shape.inputContainsCache ? input - cached : input) + extraInput
  const promptTokens = inputTokens + cached
  const isReasoningBeside = !shape.outputContainsReasoning || total === promptTokens + output + reasoningTokens
  const outputTokens = isReasoningBeside ? output + reasoningTokens : output
  if (inputTokens < extraInput) return refuse({ kind: 'inconsistent', field: shape.input[0]!, value: input })
  if (reasoningTokens > outputTokens) {
    return refuse({ kind: 'inconsistent', field: shape.reasoning![0]!, value: reasoningTokens })
  }
  if (!isAmount(promptTokens + outputTokens)) {
    return refuse({ kind: 'malformed', field: shape.input[0]!, value: input })
  }
  // A smaller total doesn't justify charging less than the parts, or doubting them.
  if (total !== undefined && total > promptTokens + outputTokens) {
    return refuse({ kind: 'inconsistent', field: shape.total![0]!, value: total })
  }
  const usage = { inputTokens, outputTokens, cacheReadTokens, ...writes, reasoningTokens }
  if (shape.inputKinds === undefined && shape.outputKinds === undefined) return { usage, anomalies }
  const reported = reportedKinds(shape, count, usage)
  if ('anomaly' in reported) return refuse(reported.anomaly)
  return anomalies.length > 0 ? { usage: null, anomalies } : { usage: { ...usage, ...reported.kinds }, anomalies }
}

function refuse(anomaly: UsageAnomaly): UsageReading {
  return { usage: null, anomalies: [anomaly] }
}

// `null`: the lifetimes together exceed all writes. Writes without a reported lifetime had the requested one.
function cacheWrites(
  total: number | undefined,
  fiveMinutes = 0,
  oneHour = 0,
  cacheMark: CacheMark,
): { readonly cacheWriteTokens: number; readonly cacheWrite1hTokens: number } | null {
  const told = fiveMinutes + oneHour
  const untold = (total ?? told) - told
  if (untold < 0) return null
  return cacheMark === '1h'
    ? { cacheWriteTokens: fiveMinutes, cacheWrite1hTokens: oneHour + untold }
    : { cacheWriteTokens: fiveMinutes + untold, cacheWrite1hTokens: oneHour }
}

function readCount(raw: object, paths: UsagePaths, anomalies: UsageAnomaly[]): number | undefined {
  for (const path of paths) {
    const value = valueAt(raw, keysOf(path), 0)
    if (value === undefined || value === null) continue
    if (isAmount(value)) return value
    anomalies.push({ kind: 'malformed', field: path, value })
    return undefined
  }
  return undefined
}

/** One step of a path; in a list, with the field and the word that its entries must have. */
interface PathKey {
  readonly key: string
  readonly filter: { readonly field: string; readonly word: string } | null
}

// The shapes are few and fixed: each path is parsed once.
const keysByPath = new Map<string, readonly PathKey[]>()

function keysOf(path: string): readonly PathKey[] {
  const known = keysByPath.get(path)
  if (known !== undefined) return known
  const keys = path.split('.').map((step): PathKey => {
    const [, key = step, field, word] = /^(\w+)\[(\w+)=(\w+)\]$/.exec(step) ?? []
    return { key, filter: field === undefined || word === undefined ? null : { field, word } }
  })
  keysByPath.set(path, keys)
  return keys
}

/** The value at the end of `keys`, own properties only. A list of details is added up, as for several requests. */
function valueAt(start: object, keys: readonly PathKey[], depth: number): unknown {
  const { key, filter } = keys[depth]!
  const value: unknown = Object.hasOwn(start, key) ? (start as Record<string, unknown>)[key] : undefined
  if (depth + 1 === keys.length || value === undefined || value === null) return value
  if (Array.isArray(value)) return sumOf(value, filter, keys, depth + 1)
  // A number in place of an object isn't a count of what should be inside.
  return typeof value === 'object' ? valueAt(value, keys, depth + 1) : { found: value }
}

function sumOf(
  details: readonly unknown[],
  filter: PathKey['filter'],
  keys: readonly PathKey[],
  depth: number,
): unknown {
  if (details.length > MOST_DETAILS) return details
  // A list that names kinds, but not this one, has none of it.
  let sum = filter === null ? undefined : 0
  for (const detail of details) {
    if (typeof detail !== 'object' || detail === null) return detail
    if (filter !== null && (detail as Readonly<Record<string, unknown>>)[filter.field] !== filter.word) continue
    const value = valueAt(detail, keys, depth)
    if (value === undefined || value === null) continue
    if (!isAmount(value)) return value
    sum = (sum ?? 0) + value
  }
  return sum
}
