import { anthropicMessages } from './anthropic-messages/index.ts'
import type { Dialect, DialectName } from './dialect.ts'
import { openAiChat } from './openai-chat/index.ts'
import { openAiResponses } from './openai-responses/index.ts'

/** Every dialect that the gateway speaks, by its name. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  'anthropic-messages': anthropicMessages,
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
}
