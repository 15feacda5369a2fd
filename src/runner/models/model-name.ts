import { suggestName } from '../../core/index.ts'
import { KNOWN_PROVIDER_NAMES, KNOWN_PROVIDERS, providerOfModel } from './known-providers.ts'
import type { ModelSourceOptions } from './model-source.ts'
import { hasKey } from './provider-access.ts'
import { UnknownModelError } from './unknown-model-error.ts'

/** A model's provider, and its name there. */
export interface ModelName {
  readonly provider: string
  readonly id: string
  /** Where an untrusted file defines a short name that led here; `null` if none does. */
  readonly namedBy: string | null
}

const PROVIDER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const ID = /^[\x21-\x7e]{1,200}$/
// A short name may refer to another one.
const MOST_STEPS = 8
const FORM = 'Write PROVIDER/MODEL, e.g. anthropic/claude-sonnet-5-5, or a short name of the config.'

/** Reads a model name: `PROVIDER/MODEL`, a short name, or a model of a known provider; `null`: the default. */
export function readModelName(name: string | null, options: ModelSourceOptions): ModelName {
  const written = name ?? 'default'
  let current = written
  let namedBy: string | null = null
  for (let step = 0; step < MOST_STEPS; step++) {
    const meant = meaningOf(current, options)
    if (meant === null) return { ...namedModel(current, written, options), namedBy }
    if (options.models.get(current) === meant) namedBy ??= options.untrustedModels?.get(current) ?? null
    current = meant
  }
  throw new UnknownModelError(written, 'its short names refer to each other', 'Give one of them a model under models:.')
}

/** What a short name refers to; `null` if it is not a short name. */
function meaningOf(name: string, options: ModelSourceOptions): string | null {
  const configured = options.models.get(name)
  // A short name may be redefined: `sonnet: claude-sonnet-5`.
  if (configured !== undefined && configured !== name) return configured
  if (name === 'inherit') return 'default'
  return name === 'default' ? usualModel(options) : (SHORT_NAMES.get(name) ?? null)
}

/** The default model of the first provider whose key is set; without any key, Anthropic's, whose error explains it. */
function usualModel(options: ModelSourceOptions): string {
  const provider = KNOWN_PROVIDER_NAMES.find((name) => hasKey(name, options)) ?? 'anthropic'
  return `${provider}/${KNOWN_PROVIDERS[provider].defaultModel}`
}

function namedModel(name: string, written: string, options: ModelSourceOptions): Omit<ModelName, 'namedBy'> {
  const slash = name.indexOf('/')
  const provider = slash === -1 ? providerOfModel(name) : name.slice(0, slash)
  const id = name.slice(slash + 1)
  if (provider === null) {
    const words = [...options.models.keys(), ...SHORT_NAMES.keys()]
    throw new UnknownModelError(written, 'it has no provider', FORM, suggestName(name, words))
  }
  if (!PROVIDER.test(provider) || !ID.test(id)) throw new UnknownModelError(written, 'this is not a model name', FORM)
  return { provider, id }
}

/** The default meanings of the usual short names. Each has a price. */
export const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['haiku', 'anthropic/claude-haiku-5-5'],
  ['sonnet', 'anthropic/claude-sonnet-5-5'],
  ['opus', 'anthropic/claude-opus-5-5'],
])
