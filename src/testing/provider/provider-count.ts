import type { IncomingHttpHeaders } from 'node:http'
import type { Gate } from './gate.ts'
import type { BookOutcome } from './provider-book.ts'
import type { ProviderDialectName } from './provider-request.ts'

/** A request to count tokens. It is not a model call, and costs nothing. */
export interface CountRequest {
  /** Counts from 1, over all counts. */
  readonly number: number
  readonly dialect: ProviderDialectName
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Empty until it has arrived completely. */
  readonly body: Buffer
}

/** A count request and its outcome. */
export interface CountRecord extends CountRequest {
  readonly outcome: BookOutcome
  readonly status: number
  /** The input tokens of a call with that body, cached or not; `null` if it was not counted. */
  readonly inputTokens: number | null
}

/** What the provider does with one count request. By default it counts. */
export interface CountTurn {
  /** Reports this instead of the count. */
  readonly says?: unknown
  readonly fault?: CountFault
  /** Awaited before the first byte. */
  readonly startGate?: Gate
}

export type CountFault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly message?: string
      readonly retryAfterSeconds?: number
    }
  /** Sends nothing until the client disconnects. */
  | { readonly kind: 'hang' }
  /** The connection ends without an answer. */
  | { readonly kind: 'no-answer' }
  /** Status 200, and a body that ends in the middle of its JSON. */
  | { readonly kind: 'malformed' }

export type CountScript = (count: CountRequest) => CountTurn | Promise<CountTurn>
