import type { HistoryEntry } from '../../core/index.ts'
import { slackText } from './slack-text.ts'
import type { Webhook } from './webhook.ts'

/** An entry of the history, and which one it is in the whole ledger. The same again if it has to be sent again. */
export interface Delivery {
  readonly id: string
  readonly entry: HistoryEntry
}

/** What is sent. */
export function webhookBody({ format }: Webhook, { id, entry }: Delivery): string {
  if (format === 'slack') return JSON.stringify({ text: slackText(entry.event) })
  return JSON.stringify({ id, event: entry.event })
}
