/** The usage of one model call, normalized. All integers; no token is in two fields. */
export interface Usage {
  /** Plain input: neither read from a cache nor written to one. */
  readonly inputTokens: number
  /** Everything the model wrote, including reasoning. */
  readonly outputTokens: number
  readonly cacheReadTokens: number
  /** Written with the provider's short lifetime (5 minutes at Anthropic). */
  readonly cacheWriteTokens: number
  /** Written with the long lifetime (1 hour at Anthropic); not included in `cacheWriteTokens`. */
  readonly cacheWrite1hTokens: number
  /** The part of `outputTokens` that was reasoning. */
  readonly reasoningTokens: number
  // Parts of the above, if the source reports kinds. Absent means not reported.
  readonly audioInputTokens?: number
  readonly imageInputTokens?: number
  readonly videoInputTokens?: number
  readonly audioCacheReadTokens?: number
  readonly imageCacheReadTokens?: number
  readonly videoCacheReadTokens?: number
  readonly audioOutputTokens?: number
  readonly imageOutputTokens?: number
  readonly videoOutputTokens?: number
}

/** The fields of a usage that are part of another one. */
export const PARTS_OF_USAGE = {
  reasoningTokens: 'outputTokens',
  audioInputTokens: 'inputTokens',
  imageInputTokens: 'inputTokens',
  videoInputTokens: 'inputTokens',
  audioCacheReadTokens: 'cacheReadTokens',
  imageCacheReadTokens: 'cacheReadTokens',
  videoCacheReadTokens: 'cacheReadTokens',
  audioOutputTokens: 'outputTokens',
  imageOutputTokens: 'outputTokens',
  videoOutputTokens: 'outputTokens',
} as const satisfies Partial<Record<keyof Usage, keyof Usage>>

/** A usage with zeros for absent fields. Kinds that weren't reported stay absent. */
export function completeUsage(partial: Partial<Usage>): Usage {
  return {
    ...partial,
    inputTokens: partial.inputTokens ?? 0,
    outputTokens: partial.outputTokens ?? 0,
    cacheReadTokens: partial.cacheReadTokens ?? 0,
    cacheWriteTokens: partial.cacheWriteTokens ?? 0,
    cacheWrite1hTokens: partial.cacheWrite1hTokens ?? 0,
    reasoningTokens: partial.reasoningTokens ?? 0,
  }
}

/** The whole prompt, cached or not, which determines the price tier. */
export function promptTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.cacheWrite1hTokens
}
