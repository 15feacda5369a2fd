/** The providers that need no config. */
export type KnownProvider = 'anthropic' | 'openai' | 'google'

export interface ProviderFacts {
  readonly address: string
  /** The variables that may have its key, the first one leading. */
  readonly keyVariables: readonly string[]
  /** The variable of its address, as the provider's own SDK reads it; `null`: that reads none. */
  readonly addressVariable: string | null
  /** What is behind an address as people write it, where the AI SDK wants it in the address. */
  readonly version: string
  /** Which models are its own, by their names alone. */
  readonly models: RegExp
  /** What an agent that names no model runs on. */
  readonly defaultModel: string
}

/** In the order in which a default is looked for. */
export const KNOWN_PROVIDERS: Readonly<Record<KnownProvider, ProviderFacts>> = {
  anthropic: {
    address: 'https://api.anthropic.com',
    keyVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    addressVariable: 'ANTHROPIC_BASE_URL',
    version: '/v1',
    models: /^claude-/,
    defaultModel: 'claude-sonnet-5-5',
  },
  openai: {
    address: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    addressVariable: 'OPENAI_BASE_URL',
    version: '',
    models: /^(?:gpt-|chatgpt-|codex-|o[1-9](?:-|$))/,
    defaultModel: 'gpt-6.1-sol',
  },
  google: {
    address: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    addressVariable: null,
    version: '',
    models: /^gemini-/,
    defaultModel: 'gemini-4-argon',
  },
}

export const KNOWN_PROVIDER_NAMES = Object.keys(KNOWN_PROVIDERS) as readonly KnownProvider[]

export function isKnownProvider(name: string): name is KnownProvider {
  return Object.hasOwn(KNOWN_PROVIDERS, name)
}

/** The provider that a model is known to be of; `null` where its name does not tell. */
export function providerOfModel(id: string): KnownProvider | null {
  return KNOWN_PROVIDER_NAMES.find((name) => KNOWN_PROVIDERS[name].models.test(id)) ?? null
}
