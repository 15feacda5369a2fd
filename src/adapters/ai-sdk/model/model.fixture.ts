import { createGovernor, type OpenSpec } from '../../../governor/index.ts'
import { createPriceBook, parsePrices } from '../../../pricing/index.ts'
import { createManualClock } from '../../../testing/manual-clock.ts'
import type { CallOptions, GenerateResult, LanguageModelV3, StreamPart } from './language-model.ts'

const PRICE = { input: 1, output: 5 }
const PRICES = createPriceBook({
  overrides: parsePrices({ 'test-model': PRICE, 'test-model-search-preview': PRICE }),
})

export const ASK: CallOptions = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] }

const USAGE: GenerateResult['usage'] = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

export const FINISH: StreamPart = { type: 'finish', usage: USAGE, finishReason: { unified: 'stop', raw: 'stop' } }

export async function openScope(spec: Partial<OpenSpec> = {}) {
  const clock = createManualClock()
  const governor = createGovernor({ prices: PRICES, clock, graceMs: 100 })
  return { clock, governor, scope: await governor.open({ name: 'run', ...spec }) }
}

/** A handwritten model, with every request it was sent. */
export function modelOf(parts: Partial<Pick<LanguageModelV3, 'doGenerate' | 'doStream'>>) {
  const sent: CallOptions[] = []
  const unused = () => Promise.reject(new Error('not expected'))
  const { doGenerate = unused, doStream = unused } = parts
  const model: LanguageModelV3 = {
    specificationVersion: 'v3',
    provider: 'test',
    modelId: 'test-model',
    supportedUrls: {},
    doGenerate(options) {
      sent.push(options)
      return doGenerate(options)
    },
    doStream(options) {
      sent.push(options)
      return doStream(options)
    },
  }
  return { model, sent }
}

/** A model that answers with a text. */
export function answering(text = 'done', usage = USAGE) {
  return modelOf({
    doGenerate: async () => ({
      content: [{ type: 'text', text }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage,
      warnings: [],
    }),
  })
}

/** A stream that a test controls. */
export function fedStream() {
  let controller!: ReadableStreamDefaultController<StreamPart>
  let hasBeenCancelled = false
  const stream = new ReadableStream<StreamPart>({
    start(own) {
      controller = own
    },
    cancel() {
      hasBeenCancelled = true
    },
  })
  return { stream, controller, isCancelled: () => hasBeenCancelled }
}

export async function readAll(stream: ReadableStream<StreamPart>): Promise<StreamPart[]> {
  const parts: StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}
