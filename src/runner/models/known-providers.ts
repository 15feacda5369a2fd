/** Providers that work without config. */
export type KnownProvider = 'anthropic' | 'openai' | 'google'

export interface ProviderFacts {
  readonly address: string
  /** The variables that may hold its key, in order of precedence. */
  readonly keyVariables: readonly string[]
  /** The variable from which the provider's own SDK reads its address; `null` if there is none. */
  readonly addressVariable: string | null
  /** The suffix that the AI SDK expects, but people leave out. */
  readonly version: string
  /** Matches the names of its models. */
  readonly models: RegExp
  /** For agents that don't name a model. */
  readonly defaultModel: string
}

/** In the order in which the default model is chosen. */
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

/** The provider of a model, by its name; `null` if unknown. */
export function providerOfModel(id: string): KnownProvider | null {
  return KNOWN_PROVIDER_NAMES.find((name) => KNOWN_PROVIDERS[name].models.test(id)) ?? null
}
