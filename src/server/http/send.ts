import type { ServerResponse } from 'node:http'

/** On every answer: nothing is stored, guessed, framed or told to other sites. */
export const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** The body of the request was not read to its end, so this connection cannot be reused. */
  readonly closes?: boolean
}

/** Answers with text. */
export function sendText(response: ServerResponse, contentType: string, text: string): void {
  const body = Buffer.from(text)
  const headers = { 'content-type': contentType, 'content-length': body.length, 'cache-control': 'no-store' }
  response.writeHead(200, { ...SAFE_HEADERS, ...headers })
  response.end(body)
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  { headers = {}, closes = false }: SendOptions = {},
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const body = Buffer.from(JSON.stringify(value))
  response.writeHead(status, {
    ...SAFE_HEADERS,
    'content-type': 'application/json',
    'content-length': body.length,
    'cache-control': 'no-store',
    ...headers,
    ...(closes ? { connection: 'close' } : {}),
  })
  response.end(body)
}
