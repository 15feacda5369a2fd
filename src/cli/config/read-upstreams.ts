import { dirname, isAbsolute, join, resolve } from 'node:path'
import { isPlainObject, suggestName } from '../../core/index.ts'
import { type Document, fieldName } from '../../documents/index.ts'
import { placeIn, problemIn } from './document.ts'
import type { ConfigProblem } from './invalid-config-error.ts'
import { UPSTREAM_NAMES, type UpstreamName, type UpstreamSettings } from './upstream-settings.ts'

const OFFICIAL: Readonly<Record<UpstreamName, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
}
const FIELDS = ['baseUrl', 'apiKeyEnv', 'apiKeyFile'] as const

/** No user, no query, nothing after a `#`: only where requests go. */
export const BASE_URL_PATTERN =
  '^https?://(?:[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~/-]{0,1000})?$'
/** In capitals, as such names are written: a key that was put here by mistake hardly ever is. */
export const VARIABLE_PATTERN = '^[A-Z_][A-Z0-9_]{0,63}$'
export const LONGEST_KEY_PATH = 4096

/**
 * Reads `upstreams: { anthropic: { baseUrl, apiKeyEnv | apiKeyFile }, openai: { … } }`. A key never stands in a config:
 * whatever is refused here may be one by mistake, so that no value is ever shown or kept.
 */
export function readUpstreams(
  document: Document,
  value: unknown,
  homeFolder: string,
  problems: ConfigProblem[],
): ReadonlyMap<UpstreamName, UpstreamSettings> {
  const upstreams = new Map<UpstreamName, UpstreamSettings>()
  const fields = knownFields(document, 'upstreams', value, UPSTREAM_NAMES, problems)
  for (const name of UPSTREAM_NAMES) {
    if (fields?.[name] === undefined) continue
    const settings = readUpstream(document, name, fields[name], homeFolder, problems)
    if (settings !== null) upstreams.set(name, settings)
  }
  return upstreams
}

function readUpstream(
  document: Document,
  name: UpstreamName,
  value: unknown,
  homeFolder: string,
  problems: ConfigProblem[],
): UpstreamSettings | null {
  const before = problems.length
  const field = fieldName('upstreams', name)
  const fields = knownFields(document, field, value, FIELDS, problems)
  if (fields === null) return null
  const { baseUrl = OFFICIAL[name], apiKeyEnv: variable, apiKeyFile: path } = fields
  const refuse = (key: string, message: string): void => {
    problems.push(problemIn(document, fieldName(field, key), undefined, message))
  }
  if (!isBaseUrl(baseUrl)) refuse('baseUrl', `This is no address of a provider. Write e.g. ${OFFICIAL[name]}.`)
  else if (name === 'anthropic' && /\/v1\/*$/.test(baseUrl)) {
    refuse('baseUrl', `Leave out /v1, as Anthropic's own programs do. Write e.g. ${OFFICIAL.anthropic}.`)
  }
  if (variable !== undefined && !(typeof variable === 'string' && new RegExp(VARIABLE_PATTERN).test(variable))) {
    refuse('apiKeyEnv', 'This is no name of an environment variable (capitals, digits, _). Write e.g. OPENAI_API_KEY.')
  }
  if (path !== undefined && !isPath(path)) {
    refuse('apiKeyFile', 'This is no path of a file. Write e.g. ~/.secrets/provider-key.')
  }
  if (variable !== undefined && path !== undefined) {
    refuse('apiKeyFile', 'The key is in a variable or in a file: keep one of apiKeyEnv and apiKeyFile.')
  }
  if (problems.length > before) return null
  return {
    baseUrl: (baseUrl as string).replace(/\/+$/, ''),
    key: keyFrom(variable as string | undefined, path as string | undefined, document, homeFolder),
    place: placeIn(document, field),
  }
}

function keyFrom(
  variable: string | undefined,
  path: string | undefined,
  document: Document,
  homeFolder: string,
): UpstreamSettings['key'] {
  if (variable !== undefined) return { kind: 'variable', name: variable }
  if (path === undefined) return null
  if (path.startsWith('~/')) return { kind: 'file', file: join(homeFolder, path.slice(2)) }
  return { kind: 'file', file: isAbsolute(path) ? path : resolve(dirname(document.file), path) }
}

/** As `readFields`, but without showing any value. */
export function knownFields<Name extends string>(
  document: Document,
  field: string,
  value: unknown,
  names: readonly Name[],
  problems: ConfigProblem[],
): Readonly<Partial<Record<Name, unknown>>> | null {
  if (!isPlainObject(value)) {
    problems.push(problemIn(document, field, undefined, `This is no object with some of ${names.join(', ')}.`))
    return null
  }
  for (const key of Object.keys(value)) {
    if ((names as readonly string[]).includes(key)) continue
    const [message, suggestion] = LITERAL.test(key)
      ? [`A key does not belong in a config. Name ${placesOfKeys(names)} that has it.`, null]
      : [`There is no such setting. The settings here are ${names.join(', ')}.`, suggestName(key, names)]
    problems.push(problemIn(document, fieldName(field, key), undefined, message, suggestion))
  }
  return value as Readonly<Partial<Record<Name, unknown>>>
}

function placesOfKeys(names: readonly string[]): string {
  return names.includes('apiKeyFile') ? 'the variable (apiKeyEnv) or the file (apiKeyFile)' : 'the variable (apiKeyEnv)'
}

// What people call a key: apiKey, api_key, key, token, secret, authorization, …
const LITERAL = /^(?!apiKey(?:Env|File)$).*(?:key|token|secret|password|auth|bearer|credential)/i

export function isBaseUrl(value: unknown): value is string {
  return typeof value === 'string' && new RegExp(BASE_URL_PATTERN).test(value) && URL.canParse(value)
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_KEY_PATH && !value.includes('\0')
}
