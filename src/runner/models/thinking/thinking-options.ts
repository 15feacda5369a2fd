import type { ThinkingLevel } from '../../../agents/agent.ts'
import type { ProviderOptions } from '../model-source.ts'
import { anthropicThinking } from './anthropic-thinking.ts'
import { googleThinking } from './google-thinking.ts'
import { openAiThinking } from './openai-thinking.ts'

/** The options for a thinking level; empty if it is not set, or the model doesn't support it. */
export function thinkingOptions(provider: string, id: string, level: ThinkingLevel | null): ProviderOptions {
  if (level === null) return {}
  if (provider === 'anthropic') return under('anthropic', anthropicThinking(id, level))
  if (provider === 'openai') return under('openai', openAiThinking(id, level))
  if (provider === 'google') return under('google', googleThinking(id, level))
  return {}
}

function under(provider: string, options: Readonly<Record<string, unknown>> | null): ProviderOptions {
  return options === null ? {} : { [provider]: options }
}
