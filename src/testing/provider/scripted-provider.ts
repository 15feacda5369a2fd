import type { IncomingHttpHeaders } from 'node:http'
import type { ProviderModel } from './counting/provider-model.ts'
import type { ProviderBook } from './provider-book.ts'
import type { CountRecord, CountScript } from './provider-count.ts'
import type { ProviderScript } from './provider-turn.ts'

export interface ScriptedProviderOptions {
  /** Default: every request is answered with a short text. */
  readonly script?: ProviderScript
  /** What to do with each request to count tokens. Default: count. */
  readonly counts?: CountScript
  /** The known models. Default: a few common ones with prices, and any other without. */
  readonly models?: Readonly<Record<string, ProviderModel>>
  /** Bytes of UTF-8 per token, rounded up. Default: 4. */
  readonly bytesPerToken?: number
  /** The accepted keys. Default: any. */
  readonly apiKeys?: readonly string[]
  /** Whether prompts are cached. Default: yes. */
  readonly caching?: boolean
  /** The shortest prefix that is cached. Default: 1,024 tokens. */
  readonly smallestCachedTokens?: number
  /** How many of the newest requests are kept. Default: 10,000. */
  readonly maxKeptRequests?: number
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Default: a free one. */
  readonly port?: number
  /** Milliseconds since 1970, for the dates in answers. */
  readonly now?: () => number
}

/** A request as received. */
export interface RecordedRequest {
  /** Counts from 1. */
  readonly number: number
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Name, value, name, value, as sent. */
  readonly rawHeaders: readonly string[]
  /** Empty until it has arrived completely. */
  readonly body: Buffer
}

/** A running provider on loopback. */
export interface ScriptedProvider {
  /** `http://127.0.0.1:PORT`: the base URL for Anthropic's SDK. */
  readonly url: string
  /** The same with `/v1`: the base URL for OpenAI's SDK. */
  readonly openaiUrl: string
  readonly port: number
  /** The newest requests, in order of arrival, including refused ones. Token counts are in `counts`. */
  readonly requests: readonly RecordedRequest[]
  /** The number of all requests, without token counts. */
  readonly requestCount: number
  readonly inFlight: number
  readonly mostInFlight: number
  /** The newest requests to count tokens, in order of arrival. No other number here includes them. */
  readonly counts: readonly CountRecord[]
  /** Usage and cost. */
  book(): ProviderBook
  /** Replaces the script from the next request on. */
  play(script: ProviderScript): void
  /** Replaces the counting script from the next request on. */
  playCounts(script: CountScript): void
  /** Empties the prompt cache. */
  forgetPrompts(): void
  /** Resolves when the condition holds; checked whenever a request or a count arrives, is read, or ends. */
  until(condition: (provider: ScriptedProvider) => boolean): Promise<void>
  /** Closes open connections and stops listening. */
  close(): Promise<void>
}
