import type { IncomingHttpHeaders } from 'node:http'
import type { Answer, StreamPiece } from '../answer/answer.ts'
import type { ProviderModel } from '../counting/provider-model.ts'
import type { TokenRule } from '../counting/token-rule.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { ProviderRefusal } from '../provider-refusal.ts'
import type { ProviderDialectName, ProviderRequest } from '../provider-request.ts'

/** One way in which providers talk. Written against what they publish, and sharing nothing with the gateway's. */
export interface ProviderDialect {
  readonly name: ProviderDialectName
  /** Throws a `ProviderRefusal` for what the real provider refuses. */
  readRequest(body: JsonObject, context: ReadContext): ProviderRequest
  answerBody(answer: Answer): JsonObject
  answerPieces(answer: Answer, rule: TokenRule): readonly StreamPiece[]
  errorBody(refusal: ProviderRefusal, requestId: string): JsonObject
  /** The error as an event of a stream that has begun. */
  errorEvent(refusal: ProviderRefusal): string
  /** How it counts the input of a request that is not sent; without it there is no such route. */
  readonly counting?: DialectCounting
  /** What is kept of an answer, so that later requests can go on from its id; `null`: nothing. */
  keptConversation?(answer: Answer): { readonly id: string; readonly items: readonly JsonObject[] } | null
}

export interface DialectCounting {
  /** Throws a `ProviderRefusal` for a body that the route of counts refuses; else the request that it counts. */
  readRequest(body: JsonObject, context: ReadContext): ProviderRequest
  answerBody(inputTokens: number): JsonObject
}

export interface ReadContext {
  readonly number: number
  readonly headers: IncomingHttpHeaders
  readonly rule: TokenRule
  /** What is known of a model; `null`: there is no such model. */
  modelOf(name: string): Pick<ProviderModel, 'maxOutputTokens' | 'contextWindow' | 'reasoningTokens'> | null
  /** The conversation that an answer of the past left behind; `null`: nobody knows it. */
  conversationOf(responseId: string): readonly JsonObject[] | null
}
