/** The variables that common SDKs and programs read to find a provider whose dialect the gateway speaks. */
export interface ProviderVariables {
  /** Its address; the first that is set is the upstream. All are pointed at the gateway. */
  readonly addresses: readonly string[]
  /** Its keys; the gateway uses the first that is set. */
  readonly keys: readonly ProviderKey[]
  readonly defaultBaseUrl: string
}

export interface ProviderKey {
  readonly name: string
  readonly header: 'x-api-key' | 'authorization'
}

/** By the first part of the gateway's path. */
export const PROVIDERS = {
  anthropic: {
    // The official SDKs, Claude Code, the AI SDK; LangChain for Python; LiteLLM and tools built on it (aider).
    addresses: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_URL', 'ANTHROPIC_API_BASE'],
    // Claude Code's order of precedence.
    keys: [
      { name: 'ANTHROPIC_AUTH_TOKEN', header: 'authorization' },
      { name: 'ANTHROPIC_API_KEY', header: 'x-api-key' },
    ],
    defaultBaseUrl: 'https://api.anthropic.com',
  },
  openai: {
    // The official SDKs and the AI SDK; LangChain for Python, LiteLLM and tools built on it (aider).
    addresses: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
    keys: [
      { name: 'OPENAI_API_KEY', header: 'authorization' },
      { name: 'CODEX_API_KEY', header: 'authorization' },
    ],
    defaultBaseUrl: 'https://api.openai.com/v1',
  },
} as const satisfies Record<string, ProviderVariables>

export type ProviderName = keyof typeof PROVIDERS

export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly ProviderName[]

/** Keys of providers whose dialects the gateway doesn't speak, with which a command could spend unseen. */
export const OTHER_KEYS: readonly string[] = [
  'AIDER_ANTHROPIC_API_KEY',
  'AIDER_OPENAI_API_KEY',
  'AI_GATEWAY_API_KEY',
  'ANTHROPIC_FOUNDRY_API_KEY',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AZURE_API_KEY',
  'AZURE_OPENAI_API_KEY',
  'CEREBRAS_API_KEY',
  'COHERE_API_KEY',
  'CO_API_KEY',
  'DASHSCOPE_API_KEY',
  'DEEPINFRA_API_KEY',
  'DEEPSEEK_API_KEY',
  'FIREWORKS_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GROQ_API_KEY',
  'HYPERBOLIC_API_KEY',
  'KIMI_API_KEY',
  'LITELLM_API_KEY',
  'MINIMAX_API_KEY',
  'MISTRAL_API_KEY',
  'MOONSHOT_API_KEY',
  'NVIDIA_API_KEY',
  'OLLAMA_API_KEY',
  'OPENCODE_API_KEY',
  'OPENROUTER_API_KEY',
  'PERPLEXITY_API_KEY',
  'REPLICATE_API_TOKEN',
  'SAMBANOVA_API_KEY',
  'TOGETHERAI_API_KEY',
  'TOGETHER_API_KEY',
  'VERCEL_OIDC_TOKEN',
  'VOYAGE_API_KEY',
  'XAI_API_KEY',
  'ZAI_API_KEY',
  'ZHIPU_API_KEY',
]

/** Variables that make a client ignore the addresses. */
export const DETOURS: readonly string[] = [
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
]

/** Replaces a key in a command's environment. Readable, because providers quote it when they refuse it. */
export const PLACEHOLDER = 'sk-the-key-is-with-stint-exec'
