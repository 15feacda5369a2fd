import type { IncomingHttpHeaders } from 'node:http'
import { ProviderRefusal } from '../provider-refusal.ts'
import type { ProviderDialectName } from '../provider-request.ts'

/** Throws if the request has no key or an unknown one. `null`: every key is accepted. */
export function checkKey(
  headers: IncomingHttpHeaders,
  dialect: ProviderDialectName,
  apiKeys: ReadonlySet<string> | null,
): void {
  const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const own = headers['x-api-key']
  const isAnthropic = dialect === 'anthropic-messages'
  const key = isAnthropic && typeof own === 'string' ? own : bearer
  if (key === undefined || key === '') {
    throw new ProviderRefusal(401, isAnthropic ? 'x-api-key header is required' : "You didn't provide an API key.")
  }
  if (apiKeys === null || apiKeys.has(key)) return
  if (isAnthropic) throw new ProviderRefusal(401, 'invalid x-api-key')
  throw new ProviderRefusal(401, `Incorrect API key provided: ${key.slice(0, 3)}***.`, { code: 'invalid_api_key' })
}
