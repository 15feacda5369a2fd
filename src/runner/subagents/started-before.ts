import { isPlainObject } from '../../core/index.ts'
import type { RebuiltConversation } from '../run/record/rebuilt-conversation.ts'
import { childOfCall, timesCalled } from './child-of-call.ts'
import type { ModelInput } from './read-order.ts'

/** The tools that start other agents. */
export const DELEGATING: readonly unknown[] = ['subagent', 'handoff']

/** Something that an earlier call of a conversation has started. */
export interface StartedBefore {
  readonly id: string
  readonly input: ModelInput
  /** The call did not wait for it. */
  readonly isBackground: boolean
}

/** What the calls of a conversation have started. Calls before `ownFrom` were made by the agent that handed it over. */
export function startedBefore(
  parent: string,
  { messages, ownFrom }: Pick<RebuiltConversation, 'messages' | 'ownFrom'>,
): readonly StartedBefore[] {
  return messages.flatMap((message, place) => {
    if (place < ownFrom) return []
    if (!isPlainObject(message) || message.role !== 'assistant' || !Array.isArray(message.content)) return []
    return message.content.flatMap(({ type, toolName, toolCallId, input }) => {
      const isOrder = type === 'tool-call' && DELEGATING.includes(toolName) && isPlainObject(input)
      if (!isOrder || (input.action ?? 'run') !== 'run') return []
      const id = childOfCall(parent, toolCallId, timesCalled(messages.slice(0, place), toolCallId))
      return [{ id, input, isBackground: toolName === 'subagent' && input.async === true }]
    })
  })
}
