import type { Config } from '../../config/config.ts'
import type { ConfigProblem } from '../../config/invalid-config-error.ts'
import type { LedgerStore } from '../../core/index.ts'
import type { Webhook } from '../../observe/webhooks/index.ts'
import { describeHolder } from '../../system/index.ts'

/** The webhooks of the config, with what the environment has of them. */
export function webhooksFrom(
  { webhooks }: Pick<Config, 'webhooks'>,
  env: Readonly<Record<string, string | undefined>>,
  problems: ConfigProblem[],
): readonly Webhook[] {
  return [...webhooks].flatMap(([name, { url, secretEnv, format, events, place }]): readonly Webhook[] => {
    const missing = (variable: string, form: string): readonly Webhook[] => {
      problems.push({ place, value: undefined, message: `The environment variable ${variable} must be ${form}.` })
      return []
    }
    const address = url.kind === 'text' ? url.text : (env[url.name] ?? '')
    if (!isAddress(address)) return missing(url.kind === 'variable' ? url.name : '', FORM)
    const secret = secretEnv === null ? null : (env[secretEnv] ?? '')
    if (secret === '') return missing(secretEnv!, 'the secret that signs what is sent')
    return [{ name, url: address, secret, format, events }]
  })
}

const FORM = 'the address of the webhook, http://… or https://…, without a user name and a password'

/** Nothing is sent to an address with a password in it: it would fail with each event. */
function isAddress(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** Sends to every webhook until it is stopped. Loaded only if there is one. */
export async function startWebhooks(store: LedgerStore, webhooks: readonly Webhook[]): Promise<() => Promise<void>> {
  if (webhooks.length === 0) return async () => {}
  const { createWebhookSender } = await import('../../observe/webhooks/index.ts')
  const holder = describeHolder()
  const senders = webhooks.map((webhook) => createWebhookSender({ store, webhook, holder }))
  return async () => {
    await Promise.all(senders.map((sender) => sender.stop()))
  }
}
