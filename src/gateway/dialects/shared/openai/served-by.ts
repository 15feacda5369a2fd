import type { ServedBy } from '../../../../governor/edge.ts'
import { openAiServedSurcharge } from '../../../../pricing/index.ts'

/** Who produced an answer, by the fields that both dialects have. */
export function servedBy(model: unknown, serviceTier: unknown): ServedBy {
  const name = typeof model === 'string' ? model : null
  return { model: name, priceFactor: openAiServedSurcharge(name ?? '', serviceTier) }
}
