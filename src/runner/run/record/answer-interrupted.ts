import { isStintError } from '../../../core/index.ts'
import { DELEGATING, startedBefore } from '../../subagents/started-before.ts'
import type { ToolResultPart } from '../language-model.ts'
import type { RunTools } from '../run-tools.ts'
import type { RunParts } from '../work-on-run.ts'
import { type InterruptedCall, type RebuiltConversation, withResults } from './rebuilt-conversation.ts'
import { errorText } from './recorded-tools.ts'

interface Executed {
  readonly execute?: (input: unknown, options: unknown) => unknown
}

/**
 * Records results for the calls that were running when the process died, and returns the conversation with them. Calls
 * that had started other agents are made again and find what they had started: nothing is started twice. They were
 * counted when they were first made.
 */
export async function answerInterrupted(
  { scope, log, saved }: RunParts,
  { tools, delegates }: RunTools,
  rebuilt: RebuiltConversation,
): Promise<readonly unknown[] | undefined> {
  const { messages, interrupted } = rebuilt
  await delegates.remember(startedBefore(saved.id, rebuilt), false)
  if (interrupted.length === 0) return undefined
  const goOn = async ({ result, input, before }: InterruptedCall): Promise<ToolResultPart | null> => {
    const { execute } = (tools[result.toolName] ?? {}) as Executed
    if (!DELEGATING.includes(result.toolName) || execute === undefined) return result
    const options = { toolCallId: result.toolCallId, messages: before, abortSignal: scope.signal }
    try {
      return { ...result, output: { type: 'text', value: String(await execute(input, options)) } }
    } catch (error) {
      // The run is paused again, and the call stays open.
      if (isStintError(error, 'scope_paused')) return null
      return { ...result, output: { type: 'error-text', value: errorText(error) } }
    }
  }
  const results = await Promise.all(
    interrupted.map(async (call) => {
      const result = await goOn(call)
      if (result !== null) await log.record({ role: 'tool', content: [result] })
      return [call.result, result ?? call.result] as const
    }),
  )
  return withResults(messages, new Map(results))
}
