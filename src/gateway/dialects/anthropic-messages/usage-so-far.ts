import { isAmount } from '../../../core/index.ts'
import { type CacheMark, type Usage, type UsageReading, usageFromAnthropic } from '../../../pricing/index.ts'
import { objectFrom } from '../shared/request/json-value.ts'

/**
 * The usage that an answer has reported so far. Every count is cumulative: the last one wins, and none is added up. A
 * count that decreases is ignored: some providers report zeros at the end.
 */
export interface UsageSoFar {
  readonly counts: Record<string, unknown>
  isSaid: boolean
  /** The last reported usage, if it was not an object. */
  malformed: unknown
}

/**
 * Records reported usage. `isFinal`: it comes from the answer itself, or from an event that can have the whole output.
 */
export function addUsage(soFar: UsageSoFar, usage: unknown, isFinal: boolean): void {
  if (usage === undefined || usage === null) return
  const { counts } = soFar
  const said = objectFrom(usage)
  soFar.isSaid = true
  soFar.malformed = said === null ? usage : undefined
  if (said === null) return
  const promptBefore = promptIn(counts)
  const countedBefore = { ...counts }
  const { cache_creation_input_tokens: written = null, cache_creation: lifetimes = null } = said
  // A new total without its parts: the parts reported before belong to the old total.
  if (written !== null && lifetimes === null && written !== counts.cache_creation_input_tokens) {
    delete counts.cache_creation
  }
  for (const [field, value] of Object.entries(said)) {
    if (value === undefined || value === null) continue
    if (field !== 'output_tokens') counts[field] = value
    else if (isFinal && !isFallen(value, counts.output_tokens)) counts.output_tokens = value
  }
  if (isFallen(promptIn(counts), promptBefore)) {
    for (const field of PROMPT_FIELDS) counts[field] = countedBefore[field]
  }
}

/** The usage of an answer that reported its end; `null` if it reported none. Malformed usage is an anomaly. */
export function finalUsage({ counts, isSaid, malformed }: UsageSoFar, cacheMark: CacheMark): UsageReading | null {
  return isSaid ? usageFromAnthropic(malformed ?? counts, { cacheMark }) : null
}

/** The known input. The output is known only at the end: until then it may be the whole cap. */
export function partialUsage({ counts, isSaid, malformed }: UsageSoFar, cacheMark: CacheMark): Partial<Usage> | null {
  if (!isSaid || malformed !== undefined) return null
  const { usage } = usageFromAnthropic({ ...counts, output_tokens: 0 }, { cacheMark })
  if (usage === null) return null
  const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = usage
  return { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens }
}

const PROMPT_COUNTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']
const PROMPT_FIELDS = [...PROMPT_COUNTS, 'cache_creation']

/** The whole prompt; `NaN` if a count is malformed. */
function promptIn(counts: Readonly<Record<string, unknown>>): number {
  let sum = 0
  for (const field of PROMPT_COUNTS) {
    const count = counts[field] ?? 0
    sum += isAmount(count) ? count : Number.NaN
  }
  return sum
}

/** Whether a count is less than before. An invalid count is kept for the anomaly. */
function isFallen(count: unknown, before: unknown): boolean {
  return isAmount(count) && isAmount(before) && count < before
}
