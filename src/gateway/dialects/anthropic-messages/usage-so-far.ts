import { isAmount } from '../../../core/index.ts'
import { type CacheMark, type Usage, type UsageReading, usageFromAnthropic } from '../../../pricing/index.ts'
import { objectFrom } from '../request/json-value.ts'

/**
 * What an answer has said of its usage. Every count is cumulative: the last one wins, none is ever added. One that falls
 * does not count: some say nothing but zeros at the end of what they counted at the start.
 */
export interface UsageSoFar {
  readonly counts: Record<string, unknown>
  isSaid: boolean
  /** What it said last where that is not an object. */
  malformed: unknown
}

/** Notes what is said now. `isFinal`: by the answer itself, or an event that can count the whole output. */
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
  // A new sum without its parts: the parts that were told before are of the old one.
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

/** The usage of an answer that said how it ended; `null` if it said nothing. What is malformed is an anomaly. */
export function finalUsage({ counts, isSaid, malformed }: UsageSoFar, cacheMark: CacheMark): UsageReading | null {
  return isSaid ? usageFromAnthropic(malformed ?? counts, { cacheMark }) : null
}

/** What is known of the input. The output is known only at the end: until then it may be the whole cap. */
export function partialUsage({ counts, isSaid, malformed }: UsageSoFar, cacheMark: CacheMark): Partial<Usage> | null {
  if (!isSaid || malformed !== undefined) return null
  const { usage } = usageFromAnthropic({ ...counts, output_tokens: 0 }, { cacheMark })
  if (usage === null) return null
  const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = usage
  return { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens }
}

const PROMPT_COUNTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']
const PROMPT_FIELDS = [...PROMPT_COUNTS, 'cache_creation']

/** The whole prompt; `NaN` where a count is malformed. */
function promptIn(counts: Readonly<Record<string, unknown>>): number {
  let sum = 0
  for (const field of PROMPT_COUNTS) {
    const count = counts[field] ?? 0
    sum += isAmount(count) ? count : Number.NaN
  }
  return sum
}

/** Whether a count is less than what was said before. What is not a count at all stays for the anomaly. */
function isFallen(count: unknown, before: unknown): boolean {
  return isAmount(count) && isAmount(before) && count < before
}
