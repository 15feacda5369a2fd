import type { ThinkingLevel } from '../../../agents/agent.ts'
import type { ProviderOptions } from '../model-source.ts'
import { anthropicThinking } from './anthropic-thinking.ts'
import { googleThinking } from './google-thinking.ts'
import { openAiThinking } from './openai-thinking.ts'

/** What a level of thinking is to a model. Nothing where it was not said, or where the model has no such thing. */
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
