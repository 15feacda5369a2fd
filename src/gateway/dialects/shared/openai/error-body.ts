import type { WireError } from '../../dialect.ts'

const KINDS: Readonly<Record<WireError['kind'], { readonly type: string; readonly code: string | null }>> = {
  budget: { type: 'insufficient_quota', code: 'budget_exceeded' },
  'bad-request': { type: 'invalid_request_error', code: null },
  unauthorized: { type: 'invalid_request_error', code: 'invalid_api_key' },
  forbidden: { type: 'permission_error', code: 'forbidden' },
  'not-found': { type: 'invalid_request_error', code: 'not_found' },
  'too-large': { type: 'invalid_request_error', code: 'request_too_large' },
  wait: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  upstream: { type: 'server_error', code: 'upstream_error' },
  internal: { type: 'server_error', code: 'internal_error' },
}

/** An error in the format of both OpenAI dialects. */
export function openAiErrorBody({ kind, message }: WireError): Buffer {
  const { type, code } = KINDS[kind]
  return Buffer.from(JSON.stringify({ error: { message, type, code, param: null } }))
}
