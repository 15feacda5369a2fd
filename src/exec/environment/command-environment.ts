import {
  DETOURS,
  OTHER_KEYS,
  PLACEHOLDER,
  PROVIDER_NAMES,
  PROVIDERS,
  type ProviderName,
} from '../../system/provider-variables.ts'
import type { Variables } from './read-upstreams.ts'

/** The settings of a governed command's environment. */
export interface EnvironmentSpec {
  /** The gateway's address for this run, by provider. */
  readonly addresses: Readonly<Record<ProviderName, string>>
  /** Further variables with keys, in addition to the known ones. */
  readonly furtherKeys: readonly string[]
  /** Keys that the command may keep. */
  readonly allowedKeys: readonly string[]
  /** Further variables: the run's id, the token for a nested `stint`. */
  readonly own: Readonly<Record<string, string>>
}

export interface CommandEnvironment {
  readonly env: Variables
  /** The names of the keys that were replaced. */
  readonly keptBack: readonly string[]
  /** The names of variables that make the command bypass the gateway. */
  readonly detours: readonly string[]
}

/** The address of a provider on the gateway, with the run's key in its path. */
export function addressesOf(gatewayUrl: string, key: string): Readonly<Record<ProviderName, string>> {
  return { anthropic: `${gatewayUrl}/k/${key}/anthropic`, openai: `${gatewayUrl}/k/${key}/openai/v1` }
}

/**
 * The environment of a governed command: every address points at the gateway, and provider keys are removed, so that a
 * client that ignores the address fails instead of spending unseen. The client's own login stays.
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

// Shorter values are not keys, and occur in other variables by chance.
const SHORTEST_KEY = 12

/** The value of a variable without these keys, which may be part of it, e.g. of a header. */
function withoutKeys(value: string, keys: readonly string[]): string {
  return keys.reduce((text, key) => text.replaceAll(key, PLACEHOLDER), value)
}
