import * as z from 'zod/mini'
import { DEFAULT_WEBHOOK_EVENTS, WEBHOOK_EVENTS, type WebhookEvent } from '../../core/events/webhook-events.ts'
import { isPlainObject } from '../../core/index.ts'
import { placeAt } from '../problem-at.ts'
import { described, object, record, refusedUnseen, text } from '../schema-forms.ts'
import { setting } from '../setting.ts'
import { BASE_URL_PATTERN, VARIABLE } from './providers.ts'

const MOST_WEBHOOKS = 20
const NAME_PATTERN = '^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$'
const URL_PATTERN = BASE_URL_PATTERN.replace(/\$$/, () => '(?:\\?[A-Za-z0-9._~=&%-]{0,2000})?$')
const URL_ERROR = refusedUnseen('the address of a webhook', 'e.g. https://example.com/stint')
const EVENTS_ERROR = refusedUnseen('a list of events', `some of ${WEBHOOK_EVENTS.join(', ')}`)

const REST = {
  format: described(
    z.optional(z.enum(['json', 'slack'], refusedUnseen('a format', 'json or slack'))),
    '`json` (the event, the default) or `slack` (a text for people)',
  ),
  secretEnv: described(z.optional(VARIABLE), 'The environment variable with the secret that signs what is sent'),
  events: described(
    z.optional(
      z
        .array(z.enum(WEBHOOK_EVENTS, EVENTS_ERROR), EVENTS_ERROR)
        .check(z.minLength(1, EVENTS_ERROR), z.maxLength(WEBHOOK_EVENTS.length, EVENTS_ERROR)),
    ),
    `Which events. Default: ${DEFAULT_WEBHOOK_EVENTS.map((name) => `\`${name}\``).join(', ')}`,
  ),
}
const BY_URL = object(
  {
    url: described(text(URL_ERROR, URL_PATTERN).check(z.refine((url) => URL.canParse(url), URL_ERROR)), 'The address'),
    ...REST,
  },
  refusedUnseen,
)
const BY_VARIABLE = object(
  { urlEnv: described(VARIABLE, 'The environment variable with the address, if that is a secret itself'), ...REST },
  refusedUnseen,
)

/** A webhook as the config says it. */
export interface WebhookSettings {
  /** The address, or the variable that has it. */
  readonly url: { readonly kind: 'text'; readonly text: string } | { readonly kind: 'variable'; readonly name: string }
  readonly secretEnv: string | null
  readonly format: 'json' | 'slack'
  readonly events: readonly WebhookEvent[]
  /** Where it is written, as a phrase. */
  readonly place: string
}

export const WEBHOOKS = setting({
  schema: record(
    text(refusedUnseen('the name of a webhook', 'letters, digits and _ . -, at most 64'), NAME_PATTERN),
    z.union(
      [BY_URL, BY_VARIABLE],
      refusedUnseen('a webhook', 'e.g. { url: https://example.com/stint, secretEnv: STINT_WEBHOOK_SECRET }'),
    ),
    MOST_WEBHOOKS,
    refusedUnseen(`a set of at most ${MOST_WEBHOOKS} webhooks`, 'e.g. { ops: { url: https://example.com/stint } }'),
  ),
  description: 'Where `stint serve` [sends events](../how-to/send-events.md), by name',
  twoFiles: 'by name, the later one',
  isByName: true,
  isSecret: true,
  allows: (value, name) => `sends events to the webhook ${name} at ${hostOf(value)}`,
  none: new Map(),
  read(written, { document }): ReadonlyMap<string, WebhookSettings> {
    const webhooks = Object.entries(written).map(([name, webhook]): [string, WebhookSettings] => {
      const { secretEnv = null, format = 'json', events = DEFAULT_WEBHOOK_EVENTS } = webhook
      const url =
        'url' in webhook
          ? ({ kind: 'text', text: webhook.url } as const)
          : ({ kind: 'variable', name: webhook.urlEnv } as const)
      return [name, { url, secretEnv, format, events, place: placeAt(document, ['webhooks', name]) }]
    })
    return new Map(webhooks)
  },
})

/** The path of an address may be a secret. */
function hostOf(value: unknown): string {
  const { url, urlEnv } = isPlainObject(value) ? value : {}
  if (typeof urlEnv === 'string') return `the address in ${urlEnv}`
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : 'an address'
}
