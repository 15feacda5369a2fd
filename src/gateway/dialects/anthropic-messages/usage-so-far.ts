import { isAmount } from '../../../core/index.ts'
import {
  type AnthropicModes,
  type CacheMark,
  type Usage,
  type UsageReading,
  usageFromAnthropic,
} from '../../../pricing/index.ts'
import { objectFrom } from '../request/json-value.ts'

/**
 * What an answer has said of its usage. Every count is cumulative: the last one wins, none is ever added. One that falls
 * is none: some say nothing but zeros at the end of what they counted at the start.
 */
export interface UsageSoFar {
  /** `isFinal`: the answer itself, or an event that can count the whole output. */
  add(usage: unknown, isFinal: boolean): void
  /** Only what is final; `null` if nothing has been said. What is malformed is an anomaly. */
  reading(): UsageReading | null
  /** What is known of the input. The output is known only at the end: until then it may be the whole cap. */
  partial(): Partial<Usage> | null
  webSearches(): number | null
  providerCalls(): number
  /** How fast and where it was served. */
  modes(): AnthropicModes
}

export function createUsageSoFar(cacheMark: CacheMark): UsageSoFar {
  const counts: Record<string, unknown> = Object.create(null)
  let isSaid = false
  let malformed: unknown
  const serverCounts = () => Object.entries(objectFrom(counts.server_tool_use) ?? {})
  return {
    add(usage, isFinal) {
      if (usage === undefined || usage === null) return
      isSaid = true
      const said = objectFrom(usage)
      malformed = said === null ? usage : undefined
      if (said === null) return
      const promptBefore = promptIn(counts)
      const countedBefore = { ...counts }
      const { cache_creation_input_tokens: written, cache_creation: lifetimes } = said
      // A new sum without its parts: the parts that were told before are of the old one.
      if (isCount(written) && !isCount(lifetimes) && written !== counts.cache_creation_input_tokens) {
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
    },
    reading() {
      if (!isSaid) return null
      return usageFromAnthropic(malformed ?? counts, { cacheMark })
    },
    partial() {
      if (!isSaid || malformed !== undefined) return null
      const { usage } = usageFromAnthropic({ ...counts, output_tokens: 0 }, { cacheMark })
      if (usage === null) return null
      const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = usage
      return { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens }
    },
    webSearches() {
      const searches = objectFrom(counts.server_tool_use)?.web_search_requests
      return Number.isSafeInteger(searches) && (searches as number) >= 0 ? (searches as number) : null
    },
    modes: () => ({ speed: counts.speed, inferenceGeo: counts.inference_geo }),
    providerCalls: () =>
      serverCounts().reduce(
        (sum, [, count]) => sum + (Number.isSafeInteger(count) ? Math.max(0, count as number) : 0),
        0,
      ),
  }
}

const PROMPT_COUNTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']
const PROMPT_FIELDS = [...PROMPT_COUNTS, 'cache_creation']

/** The whole prompt; no number where a count is none. */
function promptIn(counts: Readonly<Record<string, unknown>>): number {
  return PROMPT_COUNTS.reduce((sum, field) => {
    const count = counts[field] ?? 0
    return isAmount(count) ? sum + count : Number.NaN
  }, 0)
}

/** Whether a count is one, and less than what was said before. What is no count at all stays for the anomaly. */
function isFallen(count: unknown, before: unknown): boolean {
  return isAmount(count) && isAmount(before) && count < before
}

function isCount(value: unknown): boolean {
  return value !== undefined && value !== null
}
