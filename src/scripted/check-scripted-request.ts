import { ScriptedModelError } from './scripted-model-error.ts'
import type { ScriptedMessage, ScriptedRequest } from './scripted-types.ts'

const SMALLEST_THINKING = 1024

/** Throws what a real provider refuses with status 400, before anything is billed. */
export function checkScriptedRequest(request: ScriptedRequest, maxOutputTokens: number): void {
  if (request.messages.length === 0) refuse('messages: at least one message is required')
  const cap = request.maxOutputTokens ?? maxOutputTokens
  if (!Number.isInteger(cap) || cap < 1) refuse(`max output tokens: ${cap} is not at least 1`)
  if (cap > maxOutputTokens) refuse(`max output tokens: ${cap} is more than the model's ${maxOutputTokens}`)
  const hasTools = (request.tools?.length ?? 0) > 0
  if (request.toolChoice !== undefined && !hasTools) refuse('tool choice: only allowed together with tools')
  if (request.thinking) checkThinking(request.thinking.budgetTokens, cap)
  checkToolResults(request.messages)
}

function checkThinking(budget: number, cap: number): void {
  if (!(budget >= SMALLEST_THINKING)) refuse(`thinking budget: ${budget} is less than ${SMALLEST_THINKING}`)
  if (budget >= cap) refuse(`thinking budget: ${budget} is not below the max output tokens ${cap}`)
}

// Every tool call must have its result directly after its message.
function checkToolResults(messages: readonly ScriptedMessage[]): void {
  const unanswered = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!unanswered.delete(message.toolCallId)) refuse(`tool result ${message.toolCallId}: no such call before it`)
      continue
    }
    refuseUnanswered(unanswered)
    if (message.role === 'assistant') for (const { id } of message.toolCalls ?? []) unanswered.add(id)
  }
  refuseUnanswered(unanswered)
}

function refuseUnanswered(unanswered: ReadonlySet<string>): void {
  if (unanswered.size > 0) refuse(`tool calls without results directly after them: ${[...unanswered].join(', ')}`)
}

function refuse(message: string): never {
  throw new ScriptedModelError(400, message)
}
