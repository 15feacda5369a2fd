import { suggestName } from '../../core/index.ts'
import { KNOWN_PROVIDER_NAMES, KNOWN_PROVIDERS, providerOfModel } from './known-providers.ts'
import type { ModelSourceOptions } from './model-source.ts'
import { hasKey } from './provider-access.ts'
import { SHORT_NAMES } from './short-names.ts'
import { UnknownModelError } from './unknown-model-error.ts'

/** A model by its provider and by the name that it has there. */
export interface ModelName {
  readonly provider: string
  readonly id: string
  /** Where an untrusted file defines a short name on the way; `null` if none does. */
  readonly namedBy: string | null
}

const PROVIDER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const ID = /^[\x21-\x7e]{1,200}$/
// A short name may mean another one, but not for ever.
const MOST_STEPS = 8
const FORM = 'Write PROVIDER/MODEL, e.g. anthropic/claude-sonnet-5-5, or a short name of the config.'

/** Reads the name of a model: `PROVIDER/MODEL`, a short name, a name that only one provider has; `null`: the default. */
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
  throw new UnknownModelError(written, 'its short names mean each other', 'Give one of them a model under models:.')
}

/** What a short name means; `null` where it is none. */
function meaningOf(name: string, options: ModelSourceOptions): string | null {
  const configured = options.models.get(name)
  // A word may be given its own meaning: `sonnet: claude-sonnet-5`.
  if (configured !== undefined && configured !== name) return configured
  if (name === 'inherit') return 'default'
  return name === 'default' ? usualModel(options) : (SHORT_NAMES.get(name) ?? null)
}

/** Of the first provider whose key is there; where none is, the one that is asked for says what is missing. */
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
    throw new UnknownModelError(written, 'its provider is not said', FORM, suggestName(name, words))
  }
  if (!PROVIDER.test(provider) || !ID.test(id)) throw new UnknownModelError(written, 'this is no name of a model', FORM)
  return { provider, id }
}
