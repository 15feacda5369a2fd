import { readFileSync, statSync } from 'node:fs'
import { type Config, untrustedPlaces } from '../../config/config.ts'
import type { ConfigProblem } from '../../config/invalid-config-error.ts'
import type { UpstreamName, UpstreamSettings } from '../../config/settings/providers.ts'
import { printable } from '../../core/checks/printable.ts'
import type { Upstream, Upstreams } from '../../gateway/gateway.ts'
import type { Platform } from '../platform.ts'

export interface FoundUpstreams {
  /** Includes those whose key cannot be read: that only matters when a request needs it. */
  readonly upstreams: Upstreams
  /** The keys that cannot be read, by upstream. Never contains a key. */
  readonly missingKeys: ReadonlyMap<UpstreamName, ConfigProblem>
  /** Why there is no upstream at all, and how to set one; empty if there is one. */
  readonly unset: readonly ConfigProblem[]
  /** Warnings that do not keep it from starting. */
  readonly notices: readonly string[]
}

const LONGEST_KEY = 4096
// What a header can contain.
const KEY = /^[\x21-\x7e]+$/
const OTHERS = 0o077

/** The upstreams of the config with their keys, which are read now and kept nowhere else. */
export function upstreamsFrom(config: Config, env: Platform['env']): FoundUpstreams {
  const unset: ConfigProblem[] = []
  const notices: string[] = []
  const missingKeys = new Map<UpstreamName, ConfigProblem>()
  const upstreams: Record<string, Upstream> = {}
  for (const [name, settings] of config.upstreams) {
    const { apiKey, fault } = readKey(settings, env, notices)
    if (fault !== null) missingKeys.set(name, fault)
    if (apiKey !== null && isUnencrypted(settings.baseUrl)) {
      notices.push(`The key of ${name} goes to ${settings.baseUrl} unencrypted.`)
    }
    const unusable = fault === null ? {} : { unusable: printable(`${fault.place}: ${fault.message}`) }
    upstreams[name] = { baseUrl: settings.baseUrl, apiKey, ...unusable }
  }
  if (config.upstreams.size === 0) {
    const untrusted = [...untrustedPlaces(config, 'upstreams').values()]
    const foreign = untrusted.map((place) => ({ place, value: undefined, message: NOT_TRUSTED }))
    unset.push(...(foreign.length > 0 ? foreign : [NO_UPSTREAM]))
  }
  return { upstreams, missingKeys, unset, notices }
}

const NOT_TRUSTED =
  'A config that was merely found in a folder cannot decide where requests and keys go. Trust the folder (stint trust), ' +
  'put it into your own config (~/.config/stint/config.yaml), or pass this file: --config FILE.'

const NO_UPSTREAM: ConfigProblem = {
  place: 'upstreams',
  value: undefined,
  message:
    'No upstreams are configured, so the gateway refuses every request. Add one to your config (~/.config/stint/config.yaml), e.g. ' +
    'upstreams: { anthropic: { apiKeyEnv: ANTHROPIC_API_KEY } }.',
}

function readKey(
  { key, place }: UpstreamSettings,
  env: Platform['env'],
  notices: string[],
): { readonly apiKey: string | null; readonly fault: ConfigProblem | null } {
  if (key === null) return { apiKey: null, fault: null }
  const [where, text, missing] =
    key.kind === 'variable'
      ? [`The environment variable ${key.name}`, env[key.name] ?? null, 'is not set']
      : [`The file ${key.file}`, readKeyFile(key.file, notices), 'does not exist or cannot be read']
  const value = text?.trim() ?? ''
  if (KEY.test(value) && value.length <= LONGEST_KEY) return { apiKey: value, fault: null }
  const fault = text === null ? missing : value === '' ? 'is empty' : 'does not contain a key'
  const message = `${where} ${fault}. Put the provider's key there.`
  return { apiKey: null, fault: { place, value: undefined, message } }
}

function readKeyFile(file: string, notices: string[]): string | null {
  try {
    const { mode, size } = statSync(file)
    if (size > LONGEST_KEY) return '\0'
    // Windows has no such mode.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) notices.push(`Others can read the key in ${file}.`)
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function isUnencrypted(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}
