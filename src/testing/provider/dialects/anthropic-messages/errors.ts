import { eventText } from '../../answer/stream-writer.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { ProviderRefusal } from '../../provider-refusal.ts'

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

function errorOf({ status, type, message }: ProviderRefusal): JsonObject {
  return { type: type ?? TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'), message }
}

/** An error in Anthropic's format. */
export function errorBody(refusal: ProviderRefusal, requestId: string): JsonObject {
  return { type: 'error', error: errorOf(refusal), request_id: requestId }
}

/** The same in a stream. */
export function errorEvent(refusal: ProviderRefusal): string {
  return eventText({ type: 'error', error: errorOf(refusal) }, 'error')
}
