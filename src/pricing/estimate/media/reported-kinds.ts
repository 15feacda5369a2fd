import type { Usage } from '../../usage/usage.ts'
import type { UsageAnomaly } from '../../usage/usage-reading.ts'
import type { KindPaths, UsagePaths, UsageShape } from '../../usage/usage-shape.ts'
import { MEDIA_KINDS, type MediaKind } from './media-kind.ts'

type KindFields = Partial<Pick<Usage, `${MediaKind}${'Input' | 'CacheRead' | 'Output'}Tokens`>>

/** The reported tokens by kind in our form; an anomaly if a kind exceeds its whole. */
export type KindReading = { readonly kinds: KindFields } | { readonly anomaly: UsageAnomaly }

/**
 * Reads tokens by kind. Sources report the media of the whole prompt. If they don't report what was cached, cached
 * tokens are taken to be text first, which is the more expensive interpretation.
 */
export function reportedKinds(
  { inputKinds, cacheReadKinds, outputKinds }: Pick<UsageShape, 'inputKinds' | 'cacheReadKinds' | 'outputKinds'>,
  count: (paths: UsagePaths | undefined) => number | undefined,
  whole: Pick<Usage, 'inputTokens' | 'cacheReadTokens' | 'outputTokens'>,
): KindReading {
  const kinds: { -readonly [Field in keyof KindFields]: number } = {}
  const left = { ...whole }
  for (const kind of MEDIA_KINDS) {
    const read = count(inputKinds?.[kind])
    const written = count(outputKinds?.[kind])
    if (read !== undefined) {
      const reported = count(cacheReadKinds?.[kind])
      const cached = reported ?? Math.max(0, read - left.inputTokens)
      const plain = read - cached
      if (plain < 0 || plain > left.inputTokens || cached > left.cacheReadTokens) return tooMuch(inputKinds, kind, read)
      left.inputTokens -= plain
      left.cacheReadTokens -= cached
      kinds[`${kind}InputTokens`] = plain
      kinds[`${kind}CacheReadTokens`] = cached
    }
    if (written !== undefined) {
      if (written > left.outputTokens) return tooMuch(outputKinds, kind, written)
      left.outputTokens -= written
      kinds[`${kind}OutputTokens`] = written
    }
  }
  return { kinds }
}

function tooMuch(paths: KindPaths | undefined, kind: MediaKind, value: number): KindReading {
  return { anomaly: { kind: 'inconsistent', field: paths![kind]![0]!, value } }
}
