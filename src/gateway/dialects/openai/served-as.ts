import type { ServedAs } from '../../../governor/index.ts'
import { openAiServedSurcharge } from '../../../pricing/index.ts'

/** Who gave an answer, by the fields that both dialects have for it. */
export function servedAs(model: unknown, serviceTier: unknown): ServedAs {
  const name = typeof model === 'string' ? model : null
  return { model: name, priceFactor: openAiServedSurcharge(name ?? '', serviceTier) }
}
