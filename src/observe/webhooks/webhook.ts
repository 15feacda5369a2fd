import type { EventName } from '../../core/index.ts'

/** Where events are sent. */
export interface Webhook {
  /** Names it in messages, and in the ledger, which keeps how far it came. */
  readonly name: string
  /** May contain a secret: never shown. */
  readonly url: string
  /** Signs what is sent; `null`: nothing is signed. */
  readonly secret: string | null
  /** `slack`: a text for people, as Slack and programs like it take it. */
  readonly format: 'json' | 'slack'
  readonly events: readonly EventName[]
}
