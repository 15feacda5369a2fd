import type { ServedBy } from '../../../governor/edge.ts'
import { openAiServedSurcharge } from '../../../pricing/index.ts'

/** Who gave an answer, by the fields that both dialects have for it. */
export function servedBy(model: unknown, serviceTier: unknown): ServedBy {
  const name = typeof model === 'string' ? model : null
  return { model: name, priceFactor: openAiServedSurcharge(name ?? '', serviceTier) }
}
