import type { LedgerStore } from '../../core/index.ts'
import { type SinkState, sinkStateFrom } from './sink-state.ts'
import { webhookLease } from './webhook-sender.ts'

/** How a webhook is, whichever process sends to it. */
export interface WebhookHealth extends Pick<SinkState, 'sent' | 'dropped' | 'lastSentAtMs' | 'failing'> {
  readonly name: string
  /** Whether a process sends to it now. */
  readonly isServed: boolean
}

/** How a webhook is; `null` if nothing was ever sent to it, or tried. */
export async function webhookHealth(
  { store, nowMs }: { readonly store: LedgerStore; readonly nowMs: () => number },
  name: string,
): Promise<WebhookHealth | null> {
  const reading = await store.leased({ lease: webhookLease(name) })
  const state = sinkStateFrom(reading?.text ?? null)
  if (reading === null || state === null) return null
  const { sent, dropped, lastSentAtMs, failing } = state
  return { name, isServed: reading.untilMs > nowMs(), sent, dropped, lastSentAtMs, failing }
}
