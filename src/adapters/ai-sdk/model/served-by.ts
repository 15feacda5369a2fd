import type { ServedBy } from '../../../governor/edge.ts'
import { anthropicServedSurcharge, dearerFactor, openAiServedSurcharge } from '../../../pricing/index.ts'
import type { GenerateResult } from './language-model.ts'

type Metadata = GenerateResult['providerMetadata']

/** Who produced an answer, as far as the AI SDK passes it on: the model, its tier, speed and region. */
export function servedBy(askedModel: string, modelId: string | undefined, metadata: Metadata): ServedBy {
  const model = modelId === undefined || modelId === '' ? null : modelId
  if (metadata === undefined) return { model, priceFactor: null }
  const name = model ?? askedModel
  const usage = (metadata.anthropic?.usage ?? {}) as Readonly<Record<string, unknown>>
  const tier = metadata.openai?.serviceTier ?? metadata.azure?.serviceTier
  const openai = openAiServedSurcharge(name, tier)
  const anthropic = anthropicServedSurcharge(name, { speed: usage.speed, inferenceGeo: usage.inference_geo })
  return { model, priceFactor: dearerFactor(openai, anthropic) ?? null }
}
