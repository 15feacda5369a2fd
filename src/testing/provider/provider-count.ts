import type { IncomingHttpHeaders } from 'node:http'
import type { Gate } from './gate.ts'
import type { BookOutcome } from './provider-book.ts'
import type { ProviderDialectName } from './provider-request.ts'

/** A request that asks how many tokens another would have. It is not a call of a model, and it costs nothing. */
export interface CountRequest {
  /** Counts from 1, over all counts. */
  readonly number: number
  readonly dialect: ProviderDialectName
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Empty until it has come in whole. */
  readonly body: Buffer
}

/** A count and what became of it. */
export interface CountRecord extends CountRequest {
  readonly outcome: BookOutcome
  readonly status: number
  /** What a call with that body is charged as input, cached or not; `null` where it was not counted. */
  readonly inputTokens: number | null
}

/** What the provider does with one count. Without anything it counts. */
export interface CountTurn {
  /** Says this instead of its count, whatever it is. */
  readonly says?: unknown
  readonly fault?: CountFault
  /** Waited for before the first byte. */
  readonly startGate?: Gate
}

export type CountFault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly message?: string
      readonly retryAfterSeconds?: number
    }
  /** Nothing comes until the client goes away. */
  | { readonly kind: 'hang' }
  /** The connection ends without an answer. */
  | { readonly kind: 'no-answer' }
  /** Status 200, and a body that ends in the middle of its JSON. */
  | { readonly kind: 'malformed' }

export type CountScript = (count: CountRequest) => CountTurn | Promise<CountTurn>
