import { readBaseUrl } from './base-url.ts'
import { isKnownProvider, KNOWN_PROVIDERS, type ProviderFacts } from './known-providers.ts'
import { MissingKeyError } from './missing-key-error.ts'
import type { ModelSourceOptions } from './model-source.ts'

/** How a provider is reached, from the user's settings and its defaults. */
export interface ProviderAccess {
  /** In the AI SDK's form. */
  readonly baseUrl: string
  readonly key: ProviderKey | null
}

export interface ProviderKey {
  readonly value: string
  /** Sent as `Authorization: Bearer` instead of the provider's own header for keys. */
  readonly isBearer: boolean
}

type AccessOptions = Pick<ModelSourceOptions, 'env' | 'providers' | 'baseUrl'>

/** `null` if the provider's address is unknown. Throws `MissingKeyError` if its key is missing. */
export function accessTo(provider: string, model: string, options: AccessOptions): ProviderAccess | null {
  const baseUrl = baseUrlOf(provider, options)
  return baseUrl === null ? null : { baseUrl, key: keyOf(provider, model, options) }
}

/** From the flag, else the environment, else the config, else the provider's default. */
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

/** Whether a provider's key is set. */
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
  if (!KEY.test(value)) throw new MissingKeyError(model, [variable], 'does not contain a valid key')
  return { value, isBearer: variable === 'ANTHROPIC_AUTH_TOKEN' }
}

// Valid characters of a header.
const KEY = /^[\x21-\x7e]{1,4096}$/

/** The variables to read a key from; none for a provider that doesn't need one. */
function keyVariables(provider: string, { providers }: AccessOptions): readonly string[] {
  const { apiKeyEnv = null } = providers.get(provider) ?? {}
  return apiKeyEnv === null ? (factsOf(provider)?.keyVariables ?? []) : [apiKeyEnv]
}

function factsOf(provider: string): ProviderFacts | null {
  return isKnownProvider(provider) ? KNOWN_PROVIDERS[provider] : null
}
