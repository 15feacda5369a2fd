import type { MediaKind } from '../estimate/media/media-kind.ts'

/**
 * Where a source has a count: a path through nested objects. Of several, the first that exists counts. In a list,
 * `details[modality=AUDIO].tokenCount` adds up the entries with that word.
 */
export type UsagePaths = readonly string[]

/** Counts of audio, images and video, each a part of a whole. */
export type KindPaths = Readonly<Partial<Record<MediaKind, UsagePaths>>>

/** How a source counts, as data: which fields it has, and which contain others. */
export interface UsageShape {
  readonly input: UsagePaths
  /** Whether `input` includes cached tokens (OpenAI) or not (Anthropic). */
  readonly inputContainsCache: boolean
  /** More input that `input` doesn't include. */
  readonly extraInput?: UsagePaths
  readonly output: UsagePaths
  /** Whether the source leaves out an output of zero. */
  readonly outputMayBeMissing?: boolean
  /** Whether `output` includes `reasoning` (most, unless `total` says otherwise) or not (Gemini). */
  readonly outputContainsReasoning: boolean
  readonly cacheRead?: UsagePaths
  /** All cache writes, whatever their lifetime. */
  readonly cacheWrite?: UsagePaths
  /** The writes by lifetime, if the source reports them. */
  readonly cacheWrite5m?: UsagePaths
  readonly cacheWrite1h?: UsagePaths
  readonly reasoning?: UsagePaths
  /** Media in the whole prompt, cached or not. */
  readonly inputKinds?: KindPaths
  /** Media that was read from a cache. If not reported, media is taken to be uncached as far as possible. */
  readonly cacheReadKinds?: KindPaths
  readonly outputKinds?: KindPaths
  /** The source's own total, which shows what the other fields leave out. */
  readonly total?: UsagePaths
}
