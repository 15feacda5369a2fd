import { type AnyAgent, type GovernedResult, runGoverned } from '../../../adapters/ai-sdk/index.ts'
import { isStintError } from '../../../core/index.ts'
import type { SentBackBy } from '../checks/sent-back.ts'
import type { RunParts } from '../work-on-run.ts'

/** Continues with one more message from us. `null`: it was just paused, and the message waits until it continues. */
export async function askAgain(
  { scope, log }: Pick<RunParts, 'scope' | 'log'>,
  agent: AnyAgent,
  messages: readonly unknown[],
  text: string,
  sentBackBy: SentBackBy,
): Promise<GovernedResult | null> {
  const reminder = { role: 'user', content: text }
  await log.record(reminder, { sentBackBy })
  try {
    return await runGoverned(scope, agent, { messages: [...messages, reminder], stream: true }, { close: false })
  } catch (error) {
    if (isStintError(error, 'scope_paused')) return null
    throw error
  }
}
