import type { AnyLanguageModel } from '../../adapters/ai-sdk/index.ts'
import type { AgingMap } from '../../core/index.ts'
import { MESSAGES_COUNTING } from '../../pricing/counting/messages-counting.ts'
import { RESPONSES_COUNTING } from '../../pricing/counting/responses-counting.ts'
import {
  isWithoutCount,
  MOST_COUNT_BYTES,
  type TokenCounting,
  tokensOfCount,
} from '../../pricing/counting/token-counting.ts'
import type { CountTokens, ResolvedModel } from './model-source.ts'

export interface CountedModel {
  readonly name: string
  /** As the AI SDK names it. */
  readonly provider: string
  /** The same model, whose requests `send` sends. */
  readonly openWith: (send: typeof fetch) => Promise<AnyLanguageModel>
  /** The models whose provider has said that it has no count for them. */
  readonly uncounted: AgingMap<true>
}

/** By the provider's name in the AI SDK, which says what it speaks. */
const COUNTINGS: ReadonlyMap<string, TokenCounting> = new Map([
  ['anthropic.messages', MESSAGES_COUNTING],
  ['openai.responses', RESPONSES_COUNTING],
])

/** How the requests of a model are counted: by its provider. Empty where that has no route for it. */
export function tokenCounter(model: CountedModel): Pick<ResolvedModel, 'countTokens'> {
  const counting = COUNTINGS.get(model.provider)
  return counting === undefined ? {} : { countTokens: (request) => countTokens(model, counting, request) }
}

/**
 * The AI SDK itself writes the request, as it would for the call, and its body goes to the route for counts instead.
 * `null` where the provider does not say; never throws.
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
    // Runs stream, and the request for a stream has fields of its own.
    await model.doStream({ ...options, abortSignal: signal } as never)
  } catch {
    // There is no answer to a count that a model could read.
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

/** Empty where it is longer than a count is. */
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
