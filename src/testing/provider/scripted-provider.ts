import type { IncomingHttpHeaders } from 'node:http'
import type { ProviderModel } from './counting/provider-model.ts'
import type { ProviderBook } from './provider-book.ts'
import type { CountRecord, CountScript } from './provider-count.ts'
import type { ProviderScript } from './provider-turn.ts'

export interface ScriptedProviderOptions {
  /** Default: every request is answered with a short text. */
  readonly script?: ProviderScript
  /** What is done with each request for a count of tokens. Default: it is counted. */
  readonly counts?: CountScript
  /** The only models there are. Default: a few usual ones with prices, and any other without. */
  readonly models?: Readonly<Record<string, ProviderModel>>
  /** A text has one token for every so many bytes of UTF-8, begun ones included. Default: 4. */
  readonly bytesPerToken?: number
  /** The only keys that are let in. Default: any. */
  readonly apiKeys?: readonly string[]
  /** Whether prompts are cached. Default: yes. */
  readonly caching?: boolean
  /** A shorter beginning of a prompt is not cached. Default: 1,024 tokens. */
  readonly smallestCachedTokens?: number
  /** How many of the newest requests are kept to look at. Default: 10,000. */
  readonly maxKeptRequests?: number
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Default: a free one. */
  readonly port?: number
  /** Milliseconds since 1970, for the dates in answers. */
  readonly now?: () => number
}

/** A request as it came in over the wire. */
export interface RecordedRequest {
  /** Counts from 1. */
  readonly number: number
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Name, value, name, value: as they were sent. */
  readonly rawHeaders: readonly string[]
  /** Empty until it has come in whole. */
  readonly body: Buffer
}

/** A provider on loopback that listens. */
export interface ScriptedProvider {
  /** `http://127.0.0.1:PORT`: what Anthropic's SDK wants as its base URL. */
  readonly url: string
  /** The same with `/v1`: what OpenAI's SDK wants. */
  readonly openaiUrl: string
  readonly port: number
  /** The newest requests, the oldest of them first; also those that were refused. Counts of tokens are in `counts`. */
  readonly requests: readonly RecordedRequest[]
  /** Everything that ever came in, but for counts of tokens. */
  readonly requestCount: number
  readonly inFlight: number
  readonly mostInFlight: number
  /** The newest requests for a count of tokens, the oldest of them first. They are in no other figure here. */
  readonly counts: readonly CountRecord[]
  /** What was used and what it costs. */
  book(): ProviderBook
  /** From the next request on. */
  play(script: ProviderScript): void
  /** What is done with requests for a count, from the next one on. */
  playCounts(script: CountScript): void
  /** As after a night: nothing is read from the prompt cache until it is written again. */
  forgetPrompts(): void
  /** Resolves as soon as it is so; looked at whenever a request or a count arrives, is read, or ends. */
  until(condition: (provider: ScriptedProvider) => boolean): Promise<void>
  /** Cuts what is open and stops listening. */
  close(): Promise<void>
}
