import { codeOf } from '../../core/checks/thrown.ts'
import { signatureOf } from './sign.ts'
import type { Webhook } from './webhook.ts'
import { type Delivery, webhookBody } from './webhook-body.ts'

/** How one attempt ended. The reason never contains the address, which may be a secret. */
export type PostOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number | null }

export type PostDelivery = (
  webhook: Webhook,
  delivery: Delivery,
  atMs: number,
  signal: AbortSignal,
) => Promise<PostOutcome>

const TIMEOUT_MS = 10_000

/** Sends once. Never throws, follows no redirect, and does not read the answer. */
export const postDelivery: PostDelivery = async (webhook, delivery, atMs, signal) => {
  const body = webhookBody(webhook, delivery)
  const signed = webhook.secret === null ? {} : { 'stint-signature': signatureOf(webhook.secret, atMs, body) }
  try {
    const response = await fetch(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'stint',
        'stint-delivery': encodeURI(delivery.id),
        ...signed,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    await response.body?.cancel().catch(() => {})
    if (response.ok) return { kind: 'delivered' }
    return { kind: 'failed', reason: `HTTP ${response.status}`, retryAfterMs: retryAfterOf(response) }
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error), retryAfterMs: null }
  }
}

function retryAfterOf({ headers }: Response): number | null {
  const seconds = headers.get('retry-after')
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : null
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000}s`
  const cause = error instanceof Error ? error.cause : undefined
  return codeOf(cause) ?? codeOf(error) ?? 'it could not be reached'
}
