import { readBaseUrl } from './base-url.ts'
import { isKnownProvider, KNOWN_PROVIDERS, type ProviderFacts } from './known-providers.ts'
import { MissingKeyError } from './missing-key-error.ts'
import type { ModelSourceOptions } from './model-source.ts'

/** How a provider is reached: what the user said, with what it is by itself. */
export interface ProviderAccess {
  /** As the AI SDK wants it. */
  readonly baseUrl: string
  readonly key: ProviderKey | null
}

export interface ProviderKey {
  readonly value: string
  /** Sent as `Authorization: Bearer` where the provider has a header of its own for keys. */
  readonly isBearer: boolean
}

type AccessOptions = Pick<ModelSourceOptions, 'env' | 'providers' | 'baseUrl'>

/** `null` where nobody says where the requests of a provider go. Throws `MissingKeyError` where its key is not there. */
export function accessTo(provider: string, model: string, options: AccessOptions): ProviderAccess | null {
  const baseUrl = baseUrlOf(provider, options)
  return baseUrl === null ? null : { baseUrl, key: keyOf(provider, model, options) }
}

/** The flag, then the environment, then the config, then the provider's own. */
function baseUrlOf(provider: string, { env, providers, baseUrl: flag }: AccessOptions): string | null {
  const facts = factsOf(provider)
  const settings = providers.get(provider)
  const complete = (address: string): string => {
    const { version = '' } = facts ?? {}
    return address.endsWith(version) ? address : `${address}${version}`
  }
  if (flag !== undefined) return complete(readBaseUrl('--base-url', flag))
  const variable = facts?.addressVariable ?? null
  const inEnvironment = variable === null ? undefined : env[variable]?.trim()
  if (variable !== null && inEnvironment) {
    return complete(readBaseUrl(`The environment variable ${variable}`, inEnvironment))
  }
  if (settings?.baseUrl) return complete(readBaseUrl(settings.place, settings.baseUrl))
  return facts === null ? null : complete(facts.address)
}

/** Whether the key of a provider is there, whichever variable has it. */
export function hasKey(provider: string, options: AccessOptions): boolean {
  return keyVariables(provider, options).some((name) => options.env[name]?.trim())
}

function keyOf(provider: string, model: string, options: AccessOptions): ProviderKey | null {
  const { env } = options
  const variables = keyVariables(provider, options)
  if (variables.length === 0) return null
  const variable = variables.find((name) => env[name]?.trim())
  if (variable === undefined) throw new MissingKeyError(model, variables)
  const value = env[variable]!.trim()
  if (!KEY.test(value)) throw new MissingKeyError(model, [variable], 'holds no key')
  return { value, isBearer: variable === 'ANTHROPIC_AUTH_TOKEN' }
}

// What a header can carry.
const KEY = /^[\x21-\x7e]{1,4096}$/

/** Where a key is looked for; nowhere for a provider that is called without one. */
function keyVariables(provider: string, { providers }: AccessOptions): readonly string[] {
  const { apiKeyEnv = null } = providers.get(provider) ?? {}
  return apiKeyEnv === null ? (factsOf(provider)?.keyVariables ?? []) : [apiKeyEnv]
}

function factsOf(provider: string): ProviderFacts | null {
  return isKnownProvider(provider) ? KNOWN_PROVIDERS[provider] : null
}
