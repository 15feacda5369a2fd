import { createHmac } from 'node:crypto'

/**
 * The signature of a request: HMAC-SHA256 over the time and the body, so that neither can be changed, nor an old request
 * be sent again later.
 */
export function signatureOf(secret: string, atMs: number, body: string): string {
  const seconds = Math.floor(atMs / 1_000)
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${digest}`
}
