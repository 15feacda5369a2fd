import type { AnyLanguageModel } from '../../adapters/ai-sdk/index.ts'
import type { AgingMap } from '../../core/index.ts'
import { MESSAGES_COUNTING } from '../../pricing/estimate/counting/messages-counting.ts'
import { RESPONSES_COUNTING } from '../../pricing/estimate/counting/responses-counting.ts'
import {
  isWithoutCount,
  MOST_COUNT_BYTES,
  type TokenCounting,
  tokensOfCount,
} from '../../pricing/estimate/counting/token-counting.ts'
import type { CountTokens, ResolvedModel } from './model-source.ts'

export interface CountedModel {
  readonly name: string
  /** Its name in the AI SDK. */
  readonly provider: string
  /** The same model, with `send` instead of `fetch`. */
  readonly openWith: (send: typeof fetch) => Promise<AnyLanguageModel>
  /** Models that the provider has refused to count. */
  readonly uncounted: AgingMap<true>
}

/** By the provider's name in the AI SDK, which includes its API. */
const COUNTINGS: ReadonlyMap<string, TokenCounting> = new Map([
  ['anthropic.messages', MESSAGES_COUNTING],
  ['openai.responses', RESPONSES_COUNTING],
])

/** Counts a model's requests at its provider. Empty if that has no route for it. */
export function tokenCounter(model: CountedModel): Pick<ResolvedModel, 'countTokens'> {
  const counting = COUNTINGS.get(model.provider)
  return counting === undefined ? {} : { countTokens: (request) => countTokens(model, counting, request) }
}

/**
 * The AI SDK builds the request as for a call, and its body is sent to the counting route instead. `null` if the
 * provider doesn't answer with a count. Never throws.
 */
async function countTokens(
  { name, openWith, uncounted }: CountedModel,
  counting: TokenCounting,
  { options, signal }: Parameters<CountTokens>[0],
): Promise<number | null> {
  if (uncounted.get(name) === true) return null
  let tokens: number | null = null
  const model = await openWith(async (address, init) => {
    const response = await fetch(countAddress(String(address), counting), {
      ...init,
      body: withOnly(String(init?.body), counting.fields),
    })
    if (isWithoutCount(response.status)) uncounted.set(name, true)
    if (response.ok) tokens = tokensOfCount(await textOf(response))
    else await response.body?.cancel()
    throw new Error('Counted, not called.')
  })
  try {
    // Runs stream, and a streaming request has additional fields.
    await model.doStream({ ...options, abortSignal: signal } as never)
  } catch {
    // Always fails: the count is not an answer that the model can read.
  }
  return tokens
}

function countAddress(address: string, { route }: TokenCounting): URL {
  const url = new URL(address)
  url.pathname += route
  return url
}

function withOnly(body: string, fields: ReadonlySet<string>): string {
  const members = Object.entries(JSON.parse(body) as object).filter(([name]) => fields.has(name))
  return JSON.stringify(Object.fromEntries(members))
}

/** The body's text; empty if it is too long for a count. */
async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > MOST_COUNT_BYTES) return ''
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
