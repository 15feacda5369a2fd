import type { IncomingHttpHeaders } from 'node:http'
import type { Answer, StreamPiece } from '../answer/answer.ts'
import type { ProviderModel } from '../counting/provider-model.ts'
import type { TokenRule } from '../counting/token-rule.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { ProviderRefusal } from '../provider-refusal.ts'
import type { ProviderDialectName, ProviderRequest } from '../provider-request.ts'

/** A provider's API. Written against its documentation, and independent of the gateway's dialects. */
export interface ProviderDialect {
  readonly name: ProviderDialectName
  /** Throws a `ProviderRefusal` if the real provider would refuse it. */
  readRequest(body: JsonObject, context: ReadContext): ProviderRequest
  answerBody(answer: Answer): JsonObject
  answerPieces(answer: Answer, rule: TokenRule): readonly StreamPiece[]
  errorBody(refusal: ProviderRefusal, requestId: string): JsonObject
  /** The error as a stream event. */
  errorEvent(refusal: ProviderRefusal): string
  /** The route that counts the input of a request, if there is one. */
  readonly counting?: DialectCounting
  /** What is stored of an answer, so that later requests can refer to its id; `null`: nothing. */
  keptConversation?(answer: Answer): { readonly id: string; readonly items: readonly JsonObject[] } | null
}

export interface DialectCounting {
  /** The request to count. Throws a `ProviderRefusal` for an invalid body. */
  readRequest(body: JsonObject, context: ReadContext): ProviderRequest
  answerBody(inputTokens: number): JsonObject
}

export interface ReadContext {
  readonly number: number
  readonly headers: IncomingHttpHeaders
  readonly rule: TokenRule
  /** A model by name; `null`: unknown. */
  modelOf(name: string): Pick<ProviderModel, 'maxOutputTokens' | 'contextWindow' | 'reasoningTokens'> | null
  /** The stored conversation of an earlier answer; `null`: unknown. */
  conversationOf(responseId: string): readonly JsonObject[] | null
}
