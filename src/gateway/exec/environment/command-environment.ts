import {
  DETOURS,
  OTHER_KEYS,
  PLACEHOLDER,
  PROVIDER_NAMES,
  PROVIDERS,
  type ProviderName,
} from '../../../system/provider-variables.ts'
import type { Variables } from './read-upstreams.ts'

/** What a governed command is told through its environment. */
export interface EnvironmentSpec {
  /** By provider, where the gateway answers for this run. */
  readonly addresses: Readonly<Record<ProviderName, string>>
  /** Further variables with keys, beside those that everybody knows. */
  readonly furtherKeys: readonly string[]
  /** Keys that the command keeps, because somebody said so. */
  readonly allowedKeys: readonly string[]
  /** Further variables: the run's mark, the token for a nested `stint`. */
  readonly own: Readonly<Record<string, string>>
}

export interface CommandEnvironment {
  readonly env: Variables
  /** The names of the keys that were replaced. */
  readonly keptBack: readonly string[]
  /** The names of switches by which the command goes past the gateway. */
  readonly detours: readonly string[]
}

/** The address of a provider on the gateway, with the run's key in its path. */
export function addressesOf(gatewayUrl: string, key: string): Readonly<Record<ProviderName, string>> {
  return { anthropic: `${gatewayUrl}/k/${key}/anthropic`, openai: `${gatewayUrl}/k/${key}/openai/v1` }
}

/**
 * The environment of a governed command: every address points at the gateway, and no key of a provider is in it, so
 * that a client which ignores the address fails instead of spending unseen. A login of the client's own stays.
 */
export function commandEnvironment(env: Variables, spec: EnvironmentSpec): CommandEnvironment {
  const governed = PROVIDER_NAMES.flatMap((name) => PROVIDERS[name].keys.map((key) => key.name as string))
  const known = new Set([...governed, ...OTHER_KEYS, ...spec.furtherKeys])
  const isHeld = (name: string): boolean => !!env[name] && !spec.allowedKeys.includes(name)
  const held = [...known].filter(isHeld)
  const keys = held.map((name) => env[name]!).filter((key) => key.length >= SHORTEST_KEY)
  const others = Object.keys(env).filter((name) => !known.has(name) && isHeld(name))
  const copies = others.filter((name) => keys.some((key) => env[name]!.includes(key)))
  const addresses = PROVIDER_NAMES.flatMap((provider) =>
    PROVIDERS[provider].addresses.map((name) => [name, spec.addresses[provider]] as const),
  )
  return {
    env: {
      ...env,
      ...Object.fromEntries(held.map((name) => [name, PLACEHOLDER])),
      ...Object.fromEntries(copies.map((name) => [name, withoutKeys(env[name]!, keys)])),
      ...Object.fromEntries(addresses),
      ...spec.own,
    },
    keptBack: [...held, ...copies],
    detours: DETOURS.filter((name) => env[name] && env[name] !== '0' && env[name] !== 'false'),
  }
}

// Shorter ones are no keys, and stand in other variables by chance.
const SHORTEST_KEY = 12

/** The value of a variable without these keys, under whichever name they stand there, or in headers written out. */
function withoutKeys(value: string, keys: readonly string[]): string {
  return keys.reduce((text, key) => text.replaceAll(key, PLACEHOLDER), value)
}
