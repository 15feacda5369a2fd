import { createHash } from 'node:crypto'
import type { PromptPart } from '../provider-request.ts'

/** How the input of one prompt was counted. */
export interface CountedPrompt {
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly cacheWrite1hTokens: number
  /** Writes this prompt to the cache. Call it when its answer begins, not before. */
  remember(): void
}

/** The provider's prompt cache. Entries don't expire: a test decides when they are forgotten. */
export interface PromptCache {
  /** Anthropic: only marked prefixes are written, and read up to the last mark. */
  countMarked(model: string, prompt: readonly PromptPart[]): CountedPrompt
  /** OpenAI: every long prompt is cached, and prefixes are read in steps of 128 tokens. */
  countAutomatic(model: string, prompt: readonly PromptPart[]): CountedPrompt
  forget(): void
}

export interface PromptCacheOptions {
  readonly isOn: boolean
  /** Shorter prefixes are neither written nor read. */
  readonly smallestTokens: number
}

const MOST_ENTRIES = 100_000
// How many blocks before each mark Anthropic searches for an older entry.
const LOOK_BACK = 20
const STEP = 128

/** An empty cache. */
export function createPromptCache({ isOn, smallestTokens }: PromptCacheOptions): PromptCache {
  const known = new Set<string>()

  const remember = (digests: readonly string[]) => {
    for (const digest of digests) {
      if (known.size >= MOST_ENTRIES) known.delete(known.values().next().value!)
      known.add(digest)
    }
  }

  return {
    countMarked(model, prompt) {
      const sums = sumsOf(prompt)
      const marks = isOn ? prompt.flatMap(({ mark }, at) => (mark && sums[at]! >= smallestTokens ? [at] : [])) : []
      if (marks.length === 0) return plain(sums)
      const digests = digestsOf(model, prompt)
      const read = lastKnown(marks, (at) => sums[at]! >= smallestTokens && known.has(digests[at]!))
      const cacheReadTokens = read === null ? 0 : sums[read]!
      let counted = cacheReadTokens
      let cacheWriteTokens = 0
      let cacheWrite1hTokens = 0
      for (const at of marks) {
        const tokens = Math.max(0, sums[at]! - counted)
        counted += tokens
        if (prompt[at]!.mark === '1h') cacheWrite1hTokens += tokens
        else cacheWriteTokens += tokens
      }
      return {
        inputTokens: (sums.at(-1) ?? 0) - counted,
        cacheReadTokens,
        cacheWriteTokens,
        cacheWrite1hTokens,
        remember: () => remember(marks.map((at) => digests[at]!)),
      }
    },

    countAutomatic(model, prompt) {
      const sums = sumsOf(prompt)
      const total = sums.at(-1) ?? 0
      if (!isOn || total < smallestTokens) return plain(sums)
      const digests = digestsOf(model, prompt)
      const read = digests.findLastIndex((digest) => known.has(digest))
      // The last token is never read from a cache: something must be computed.
      const steps = Math.floor(Math.min(read === -1 ? 0 : sums[read]!, total - 1) / STEP) * STEP
      const cacheReadTokens = steps >= smallestTokens ? steps : 0
      return {
        inputTokens: total - cacheReadTokens,
        cacheReadTokens,
        cacheWriteTokens: 0,
        cacheWrite1hTokens: 0,
        remember: () => remember(digests),
      }
    },

    forget: () => known.clear(),
  }
}

function plain(sums: readonly number[]): CountedPrompt {
  const nothing = { cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0 }
  return { inputTokens: sums.at(-1) ?? 0, ...nothing, remember: () => {} }
}

// The longest cached prefix, looking back from each mark.
function lastKnown(marks: readonly number[], isKnown: (at: number) => boolean): number | null {
  for (const mark of [...marks].reverse()) {
    for (let at = mark; at >= Math.max(0, mark - LOOK_BACK); at--) if (isKnown(at)) return at
  }
  return null
}

/** The tokens of each prefix of the prompt. */
function sumsOf(prompt: readonly PromptPart[]): readonly number[] {
  let sum = 0
  return prompt.map(({ tokens }) => {
    sum += tokens
    return sum
  })
}

/** A digest of each prefix of the prompt. */
function digestsOf(model: string, prompt: readonly PromptPart[]): readonly string[] {
  let before = model
  return prompt.map(({ key }) => {
    before = createHash('sha1').update(before).update('\0').update(key).digest('base64')
    return before
  })
}
