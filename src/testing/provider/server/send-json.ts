import type { ServerResponse } from 'node:http'
import type { ProviderDialect } from '../dialects/provider-dialect.ts'
import type { ProviderRefusal } from '../provider-refusal.ts'

/** Sends a whole JSON body. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}

/** Sends an error in the provider's format; if an answer has begun, closes the connection instead. */
export function sendError(
  response: ServerResponse,
  dialect: ProviderDialect,
  refusal: ProviderRefusal,
  number: number,
  retryAfterSeconds?: number,
): void {
  if (response.headersSent) {
    response.socket?.destroy()
    return
  }
  const id = `req_${number}`
  sendJson(response, refusal.status, dialect.errorBody(refusal, id), {
    [dialect.name === 'anthropic-messages' ? 'request-id' : 'x-request-id']: id,
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  })
}
