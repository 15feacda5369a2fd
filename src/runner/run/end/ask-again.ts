import { type AnyAgent, type GovernedResult, runGoverned } from '../../../adapters/ai-sdk/index.ts'
import { isStintError } from '../../../core/index.ts'
import type { RunParts } from '../work-on-run.ts'

/** Continues with one more message of ours. If that is not possible, the previous answer counts. */
export async function askAgain<Answer extends Pick<GovernedResult, 'output' | 'messages'>>(
  { scope, log }: Pick<RunParts, 'scope' | 'log'>,
  agent: AnyAgent,
  result: Answer,
  text: string,
): Promise<Answer | GovernedResult> {
  const answer = typeof result.output === 'string' ? result.output : ''
  const reminder = { role: 'user', content: text }
  await log.record(reminder)
  try {
    const input = { messages: [...result.messages, reminder], stream: true }
    const again = await runGoverned(scope, agent, input, { close: false })
    return { ...again, partialOutput: again.status === 'completed' ? null : (again.partialOutput ?? answer) }
  } catch (error) {
    // It was paused just now: the first answer counts.
    if (isStintError(error, 'scope_paused')) return result
    throw error
  }
}
