import type { MediaKind } from './media/media-kind.ts'

/**
 * Where a source keeps a count: a way through nested objects. The first of several that is there counts. Of a list,
 * `details[modality=AUDIO].tokenCount` sums up the entries with that word.
 */
export type UsagePaths = readonly string[]

/** Counts of sound, images and film, each a part of a whole. */
export type KindPaths = Readonly<Partial<Record<MediaKind, UsagePaths>>>

/** How a source counts, as data: which fields it has, and which of them contain others. */
export interface UsageShape {
  readonly input: UsagePaths
  /** Whether `input` contains cached tokens (OpenAI), or stands beside them (Anthropic). */
  readonly inputContainsCache: boolean
  /** More input that stands beside `input`. */
  readonly extraInput?: UsagePaths
  readonly output: UsagePaths
  /** Whether the source leaves out an output of zero. */
  readonly outputMayBeMissing?: boolean
  /** Whether `reasoning` is a part of `output` (most, unless `total` says otherwise), or stands beside it (Gemini). */
  readonly outputContainsReasoning: boolean
  readonly cacheRead?: UsagePaths
  /** All cache writes, whatever their lifetime. */
  readonly cacheWrite?: UsagePaths
  /** The writes by lifetime, where the source tells them apart. */
  readonly cacheWrite5m?: UsagePaths
  readonly cacheWrite1h?: UsagePaths
  readonly reasoning?: UsagePaths
  /** What of the whole prompt, cached or not, was media. */
  readonly inputKinds?: KindPaths
  /** What of it was read from a cache. Where that is not told, the media was not cached as far as that can be. */
  readonly cacheReadKinds?: KindPaths
  readonly outputKinds?: KindPaths
  /** The source's own sum of everything, which shows what the other fields leave out. */
  readonly total?: UsagePaths
}
