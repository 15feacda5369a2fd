import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isPlainObject } from '../../core/index.ts'
import { PROVIDER_NAMES, type ProviderName } from '../../system/provider-variables.ts'
import type { Variables } from '../environment/read-upstreams.ts'
import type { PlannedCommand } from './client.ts'

/** The variable that names pi's folder. */
export const PI_FOLDER_VARIABLE = 'PI_CODING_AGENT_DIR'

export type PiCommand = Pick<PlannedCommand, 'command' | 'args' | 'env' | 'homeFolder'>

/** Pi's names of the dialects that the gateway speaks. */
const PROVIDER_OF_API: Readonly<Record<string, ProviderName>> = {
  'anthropic-messages': 'anthropic',
  'openai-completions': 'openai',
  'openai-responses': 'openai',
}

/** One provider of pi that goes through the gateway. */
export interface PiProvider {
  readonly name: string
  readonly through: ProviderName
  /** As in its models file. */
  readonly settings: Readonly<Record<string, unknown>>
}

export function isPi(command: string): boolean {
  return basename(command) === 'pi'
}

export function piFolder({ env, homeFolder }: Pick<PiCommand, 'env' | 'homeFolder'>): string {
  return env[PI_FOLDER_VARIABLE] || join(homeFolder, '.pi', 'agent')
}

/** One of pi's files; empty if it is missing or invalid. */
export function readPiFile(folder: string, name: 'models.json' | 'settings.json'): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    return isPlainObject(value) ? value : {}
  } catch {
    return {}
  }
}

/**
 * The providers of pi that go through the gateway: its own two, and the chosen one of the user's models file. If two
 * speak the same dialect, the chosen one gets the upstream.
 */
export function piProviders(planned: PiCommand): readonly PiProvider[] {
  const folder = piFolder(planned)
  const { providers } = readPiFile(folder, 'models.json')
  const written = isPlainObject(providers) ? providers : {}
  const chosen = chosenProvider(planned, folder)
  return [...new Set([...(chosen === null ? [] : [chosen]), ...PROVIDER_NAMES])].flatMap((name) => {
    const own = Object.hasOwn(written, name) ? written[name] : undefined
    const settings = isPlainObject(own) ? own : {}
    const through = providerOf(name, settings)
    return through === null ? [] : [{ name, through, settings }]
  })
}

function providerOf(name: string, { api }: Readonly<Record<string, unknown>>): ProviderName | null {
  if (typeof api === 'string') return Object.hasOwn(PROVIDER_OF_API, api) ? PROVIDER_OF_API[api]! : null
  return PROVIDER_NAMES.find((known) => known === name) ?? null
}

function chosenProvider({ command, args }: PiCommand, folder: string): string | null {
  if (!isPi(command)) return null
  const flag = flagValue(args, '--provider')
  if (flag !== null) return flag
  const [provider, model] = flagValue(args, '--model')?.split('/') ?? []
  if (model !== undefined) return provider!
  const { defaultProvider } = readPiFile(folder, 'settings.json')
  return typeof defaultProvider === 'string' ? defaultProvider : null
}

function flagValue(args: readonly string[], flag: string): string | null {
  const index = args.indexOf(flag)
  return index === -1 ? null : (args[index + 1] ?? null)
}

/** The key that pi would send: a variable's value, or the text itself; `null` if only pi can tell. */
export function piKey({ apiKey }: Readonly<Record<string, unknown>>, env: Variables): string | null {
  if (typeof apiKey !== 'string' || apiKey === '' || apiKey.startsWith('!')) return null
  const [, variable] = /^\$\{?(\w+)\}?$/.exec(apiKey) ?? []
  if (variable !== undefined) return env[variable] || null
  return apiKey.includes('$') ? null : env[apiKey] || apiKey
}
