import { InvalidOptionError } from '../../core/index.ts'
import type { Upstream, Upstreams } from '../../gateway/gateway.ts'
import {
  PROVIDER_NAMES,
  PROVIDERS,
  type ProviderName,
  type ProviderVariables,
} from '../../system/provider-variables.ts'

const HIDDEN = '…'

export type Variables = Readonly<Record<string, string | undefined>>

/**
 * Where a command would have sent its calls: the addresses and keys in its environment. `configured` are those of the
 * operator's config, for providers whose address is not in the environment.
 */
export function readUpstreams(env: Variables, configured: Upstreams = {}): Required<Upstreams> {
  const read = (name: ProviderName): Upstream => upstreamOf(env, PROVIDERS[name], configured[name])
  return Object.fromEntries(PROVIDER_NAMES.map((name) => [name, read(name)])) as unknown as Required<Upstreams>
}

function upstreamOf(env: Variables, provider: ProviderVariables, configured: Upstream | undefined): Upstream {
  const address = provider.addresses.find((name) => env[name])
  const key = provider.keys.find(({ name }) => env[name])
  if (address === undefined && configured !== undefined) return configured
  const baseUrl = address === undefined ? provider.defaultBaseUrl : checkedUrl(address, env[address]!)
  if (key === undefined) return { baseUrl, apiKey: null }
  return { baseUrl, apiKey: env[key.name]!, keyHeader: key.header }
}

function checkedUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isHttp = url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
  const place = `the environment variable ${name}`
  // The refused value is not shown: it may contain a password.
  if (!isHttp) throw new InvalidOptionError(place, HIDDEN, 'an address, e.g. https://api.example.com')
  if (url.username === '' && url.password === '') return text.replace(/\/+$/, '')
  throw new InvalidOptionError(place, HIDDEN, 'an address without a user name and password')
}
