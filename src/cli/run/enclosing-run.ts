import type { StoreAddress } from '../../config/store-address.ts'
import { InvalidOptionError, StintError } from '../../core/index.ts'
import { addressesOf, type EnclosingRun, findEnclosingRun, SCOPE_VARIABLE } from '../../exec/index.ts'
import type { Governor, Scope } from '../../governor/index.ts'
import { KNOWN_PROVIDERS } from '../../runner/models/known-providers.ts'
import { PLACEHOLDER, PROVIDER_NAMES, PROVIDERS } from '../../system/provider-variables.ts'
import type { CommandContext } from '../command-context.ts'
import type { ModelAccess } from '../open-models.ts'

const LEDGER_FILE = /^sqlite:/

/** The run that this process was started in; `null` if there is none. An unknown token is refused. */
export async function enclosingRun({ platform }: CommandContext, baseUrl: string | null): Promise<EnclosingRun | null> {
  const { [SCOPE_VARIABLE]: token } = platform.env
  if (!token) return null
  if (baseUrl !== null) {
    throw new InvalidOptionError('--base-url', baseUrl, 'omitted here: the enclosing run decides where requests go')
  }
  const enclosing = await findEnclosingRun(token)
  if (LEDGER_FILE.test(enclosing.ledger)) return enclosing
  const message =
    'The enclosing run has its ledger in memory or in a database, which it does not share with what it starts. ' +
    'Start it with a ledger in a file (--store sqlite:PATH), or use stint exec here.'
  throw new StintError('invalid_option', message)
}

/** The ledger of a run, as an absolute path. */
export function ledgerOf({ ledger }: EnclosingRun): StoreAddress {
  return { kind: 'sqlite', file: ledger.replace(LEDGER_FILE, '') }
}

/** The scope of the enclosing run, in the shared ledger. */
export async function scopeAround(governor: Governor, { scopeId }: EnclosingRun): Promise<Scope> {
  const scope = await governor.find(scopeId)
  if (scope !== null) return scope
  throw new StintError('unknown_scope', `The enclosing run ${scopeId} is not in its ledger.`)
}

/**
 * Providers whose dialects the gateway speaks are reached through it, with its keys, whatever the environment and the
 * config say. Others are used as configured: their usage is counted in the same ledger.
 */
export function accessThrough(
  { gatewayUrl, key, providers: keyed }: EnclosingRun,
  env: ModelAccess['env'],
  configured: ModelAccess['providers'],
): ModelAccess {
  const addresses = addressesOf(gatewayUrl, key)
  const own: Record<string, string> = {}
  const providers = new Map(configured)
  for (const name of PROVIDER_NAMES) {
    providers.delete(name)
    own[PROVIDERS[name].addresses[0]] = addresses[name]
    const { keyVariables } = KNOWN_PROVIDERS[name]
    if (keyed.includes(name) && !keyVariables.some((each) => env[each])) own[keyVariables[0]!] = PLACEHOLDER
  }
  return { env: { ...env, ...own }, providers }
}
