import { childOfCall, timesCalled } from '../../subagents/child-of-call.ts'
import type { ToolResultPart } from '../language-model.ts'
import type { RunTools } from '../run-tools.ts'
import type { RunParts } from '../work-on-run.ts'
import { type InterruptedCall, type RebuiltConversation, withResults } from './rebuilt-conversation.ts'
import { errorText } from './recorded-tools.ts'

// Made again, these find what they had started: nothing is started twice.
const REPEATABLE = ['subagent', 'handoff']

interface Executed {
  readonly execute?: (input: unknown, options: unknown) => unknown
}

/**
 * Records results for the calls that were running when the process died, and returns the conversation with them. Calls
 * that had given work to other agents go on: their children are found again. They were counted when they were made.
 */
export async function answerInterrupted(
  { scope, log, saved }: RunParts,
  { tools, delegates }: RunTools,
  { messages, interrupted }: RebuiltConversation,
): Promise<readonly unknown[] | undefined> {
  delegates.remember(startedBefore(saved.id, messages))
  if (interrupted.length === 0) return undefined
  const goOn = async ({ result, input, before }: InterruptedCall): Promise<ToolResultPart> => {
    const { execute } = (tools[result.toolName] ?? {}) as Executed
    if (!REPEATABLE.includes(result.toolName) || execute === undefined) return result
    const options = { toolCallId: result.toolCallId, messages: before, abortSignal: scope.signal }
    try {
      return { ...result, output: { type: 'text', value: String(await execute(input, options)) } }
    } catch (error) {
      return { ...result, output: { type: 'error-text', value: errorText(error) } }
    }
  }
  const results = await Promise.all(
    interrupted.map(async (call) => {
      const result = await goOn(call)
      await log.record({ role: 'tool', content: [result] })
      return [call.result, result] as const
    }),
  )
  return withResults(messages, new Map(results))
}

/** What the calls of a conversation have started. */
export function startedBefore(parent: string, messages: readonly unknown[]): readonly string[] {
  return messages.flatMap((message, place) => {
    const { role, content } = message as { readonly role?: unknown; readonly content?: unknown }
    if (role !== 'assistant' || !Array.isArray(content)) return []
    return content.flatMap(({ type, toolName, toolCallId, input }) => {
      const isOrder = type === 'tool-call' && REPEATABLE.includes(toolName) && (input?.action ?? 'run') === 'run'
      return isOrder ? [childOfCall(parent, toolCallId, timesCalled(messages.slice(0, place), toolCallId))] : []
    })
  })
}
