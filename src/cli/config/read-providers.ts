import { isPlainObject } from '../../core/index.ts'
import { type Document, fieldName } from '../../documents/index.ts'
import type { ProviderSettings } from '../../runner/models/provider-settings.ts'
import { placeIn, problemIn } from './document.ts'
import type { ConfigProblem } from './invalid-config-error.ts'
import { isBaseUrl, knownFields, VARIABLE_PATTERN } from './read-upstreams.ts'

/** The providers that have an address of their own, so that a config may leave it out. */
export const PROVIDERS_WITH_ADDRESS = ['anthropic', 'openai', 'google'] as const
/** `scripted/…` is no provider that anybody could reach. */
export const PROVIDER_PATTERN = '^(?!scripted$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'
export const MOST_PROVIDERS = 100
const FIELDS = ['baseUrl', 'apiKeyEnv'] as const

/**
 * Reads `providers: { NAME: { baseUrl, apiKeyEnv } }`. A key never stands in a config: whatever is refused here may be
 * one by mistake, so that no value is ever shown or kept.
 */
export function readProviders(
  document: Document,
  value: unknown,
  problems: ConfigProblem[],
): ReadonlyMap<string, ProviderSettings> {
  const providers = new Map<string, ProviderSettings>()
  if (!isPlainObject(value) || Object.keys(value).length > MOST_PROVIDERS) {
    const message = 'This is no object of providers. Write e.g. { local: { baseUrl: http://localhost:8080/v1 } }.'
    problems.push(problemIn(document, 'providers', undefined, message))
    return providers
  }
  for (const name of Object.keys(value)) {
    const settings = readProvider(document, name, value[name], problems)
    if (settings !== null) providers.set(name, settings)
  }
  return providers
}

function readProvider(
  document: Document,
  name: string,
  value: unknown,
  problems: ConfigProblem[],
): ProviderSettings | null {
  const before = problems.length
  const field = fieldName('providers', name)
  const refuse = (at: string, message: string): void => {
    problems.push(problemIn(document, at, undefined, message))
  }
  if (!new RegExp(PROVIDER_PATTERN).test(name)) {
    refuse(field, 'This is no name of a provider: letters, digits, dots, dashes and underscores; scripted is taken.')
  }
  const fields = knownFields(document, field, value, FIELDS, problems)
  if (fields === null) return null
  const { baseUrl, apiKeyEnv } = fields
  const hasAddress = (PROVIDERS_WITH_ADDRESS as readonly string[]).includes(name)
  if (baseUrl === undefined ? !hasAddress : !isBaseUrl(baseUrl)) {
    refuse(fieldName(field, 'baseUrl'), 'This is no address of a provider. Write e.g. http://localhost:8080/v1.')
  } else if (name === 'anthropic' && /\/v1\/*$/.test(String(baseUrl))) {
    refuse(fieldName(field, 'baseUrl'), "Leave out /v1, as Anthropic's own programs do.")
  }
  if (apiKeyEnv !== undefined && !(typeof apiKeyEnv === 'string' && new RegExp(VARIABLE_PATTERN).test(apiKeyEnv))) {
    const message = 'This is no name of an environment variable (capitals, digits, _). Write e.g. GROQ_API_KEY.'
    refuse(fieldName(field, 'apiKeyEnv'), message)
  }
  if (problems.length > before) return null
  return {
    baseUrl: baseUrl === undefined ? null : (baseUrl as string).replace(/\/+$/, ''),
    apiKeyEnv: (apiKeyEnv as string | undefined) ?? null,
    place: placeIn(document, field),
  }
}
