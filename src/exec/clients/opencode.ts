import { isPlainObject } from '../../core/index.ts'
import type { ClientChanges, PlannedCommand } from './client.ts'

const VARIABLE = 'OPENCODE_CONFIG_CONTENT'

/** opencode reads addresses from its config only, which a variable with JSON in it overrides. */
export function prepareOpencode({ env, addresses }: PlannedCommand): ClientChanges {
  const written = parseOr(env[VARIABLE])
  // Invalid JSON is left for opencode to refuse.
  if (written === null) return {}
  const provider = objectAt(written, 'provider')
  const pointed = (name: string, baseURL: string): object => {
    const settings = objectAt(provider, name)
    return { ...settings, options: { ...objectAt(settings, 'options'), baseURL } }
  }
  const providers = {
    ...provider,
    anthropic: pointed('anthropic', `${addresses.anthropic}/v1`),
    openai: pointed('openai', addresses.openai),
  }
  return { env: { [VARIABLE]: JSON.stringify({ ...written, provider: providers }) } }
}

function parseOr(text: string | undefined): Record<string, unknown> | null {
  if (!text) return {}
  try {
    const value: unknown = JSON.parse(text)
    return isPlainObject(value) ? value : null
  } catch {
    return null
  }
}

function objectAt(object: Record<string, unknown>, name: string): Record<string, unknown> {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  return isPlainObject(value) ? value : {}
}
