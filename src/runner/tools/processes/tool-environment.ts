import { RUN_VARIABLE } from '../../../system/processes/run-mark.ts'
import { OTHER_KEYS, PROVIDER_NAMES, PROVIDERS } from '../../../system/provider-variables.ts'

export type Variables = Readonly<Record<string, string | undefined>>

// Where the ledger is, is no secret; what else begins so is a token, or would set the limits of a stint inside.
const KEPT: ReadonlySet<string> = new Set([RUN_VARIABLE, 'STINT_HOME', 'STINT_DEBUG'])
// Shorter ones are no keys, and stand in other variables by chance.
const SHORTEST_KEY = 12

/**
 * What the programs of a run get of our environment: no key of a provider, under whichever name, no address with a key
 * in it, and nothing by which they could speak in the run's name. With one of them an agent could spend unseen.
 */
export function toolEnvironment(env: Variables, furtherKeys: readonly string[]): Readonly<Record<string, string>> {
  const providers = PROVIDER_NAMES.map((name) => PROVIDERS[name])
  const keyNames = new Set([
    ...providers.flatMap(({ keys }) => keys.map(({ name }) => name as string)),
    ...OTHER_KEYS,
    ...furtherKeys,
  ])
  const addressNames = new Set<string>(providers.flatMap(({ addresses }) => addresses as readonly string[]))
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

/** The gateway's addresses have the run's key in their path, others a name and a password. */
function hasKeyInIt(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password, pathname } = new URL(address)
  return username !== '' || password !== '' || pathname.startsWith('/k/')
}
