/** Every provider in the price package, which doesn't export a list of them. */
export const PROVIDERS: readonly string[] = [
  ...['anthropic', 'arcee', 'aws', 'azure', 'baseten', 'cerebras', 'cloudflare', 'cohere', 'cursor', 'deepseek'],
  ...['doubleword', 'fireworks', 'github-copilot', 'google', 'groq', 'minimax', 'mistral', 'modal', 'moonshotai'],
  ...['novita', 'openai', 'openrouter', 'ovhcloud', 'perplexity', 'quicksilverpro', 'together', 'x-ai', 'zai'],
]
