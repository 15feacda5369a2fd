import type { WireError } from '../dialect.ts'

const TYPES: Readonly<Record<WireError['kind'], string>> = {
  budget: 'billing_error',
  'bad-request': 'invalid_request_error',
  unauthorized: 'authentication_error',
  forbidden: 'permission_error',
  'not-found': 'not_found_error',
  'too-large': 'request_too_large',
  wait: 'rate_limit_error',
  upstream: 'api_error',
  internal: 'api_error',
}

/** An error in Anthropic's format. */
export function errorBody({ kind, message }: WireError): Buffer {
  return Buffer.from(JSON.stringify({ type: 'error', error: { type: TYPES[kind], message } }))
}
