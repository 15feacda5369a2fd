import { OTHER_KEYS, PROVIDER_NAMES, PROVIDERS } from '../provider-variables.ts'
import { RUN_VARIABLE } from './run-mark.ts'

export type Variables = Readonly<Record<string, string | undefined>>

// The ledger's place is not secret. Other STINT_ variables are tokens, or would set the limits of a nested stint.
const KEPT: ReadonlySet<string> = new Set([RUN_VARIABLE, 'STINT_HOME', 'STINT_DEBUG'])
// Shorter values are not keys, and occur in other variables by chance.
const SHORTEST_KEY = 12

/**
 * The environment for programs of a run: ours without provider keys under any name, addresses that contain a key, and
 * tokens of the run. With one of those an agent could spend unseen.
 */
export function environmentWithoutKeys(
  env: Variables,
  furtherKeys: readonly string[],
): Readonly<Record<string, string>> {
  const providers = PROVIDER_NAMES.map((name) => PROVIDERS[name])
  const keyNames = new Set<string>([
    ...providers.flatMap(({ keys }) => keys.map(({ name }) => name)),
    ...OTHER_KEYS,
    ...furtherKeys,
  ])
  const addressNames = new Set<string>(providers.flatMap(({ addresses }) => [...addresses]))
  const keys = [...keyNames].flatMap((name) => (isKey(env[name]) ? [env[name]] : []))
  const isWithheld = (name: string, value: string): boolean =>
    keyNames.has(name) ||
    (name.startsWith('STINT_') && !KEPT.has(name)) ||
    (addressNames.has(name) && hasKeyInIt(value)) ||
    keys.some((key) => value.includes(key))
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || isWithheld(name, value) ? [] : [[name, value] as const],
    ),
  )
}

function isKey(value: string | undefined): value is string {
  return value !== undefined && value.length >= SHORTEST_KEY
}

/** The gateway's addresses have the run's key in their path, others may have a user name and password. */
function hasKeyInIt(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password, pathname } = new URL(address)
  return username !== '' || password !== '' || pathname.startsWith('/k/')
}
