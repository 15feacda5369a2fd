import type { JsonObject } from '../json/json-value.ts'
import type { ProviderRefusal } from '../provider-refusal.ts'

/** The fields of an error in both of OpenAI's dialects. */
export function openAiError({ status, type, message, param, code }: ProviderRefusal): JsonObject {
  const usual = USUAL[status] ?? { type: status < 500 ? 'invalid_request_error' : 'server_error', code: null }
  return { message, type: type ?? usual.type, param, code: code ?? usual.code }
}

const USUAL: Readonly<Record<number, { readonly type: string; readonly code: string | null }>> = {
  402: { type: 'insufficient_quota', code: 'insufficient_quota' },
  429: { type: 'requests', code: 'rate_limit_exceeded' },
  503: { type: 'service_unavailable_error', code: null },
}
