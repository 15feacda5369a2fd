import type { AnyAgent } from '../../../adapters/ai-sdk/index.ts'
import { countNotes } from '../../tasks/transcript.ts'
import type { RunTools } from '../run-tools.ts'
import { MOST_STEPS, type RunParts } from '../work-on-run.ts'
import { askAgain } from './ask-again.ts'
import { type Answer, checkAnswer, type StructuredResult } from './check-answer.ts'
import { claimsUndoneWork, GUARD_TEXT } from './completion-guard.ts'

const REJECTED = 'rejected'
// An answer of the wrong form is sent back once, also to an agent with one attempt.
const ATTEMPTS_AT_A_FORM = 2

/**
 * Takes a run from an answer to the one that counts: what is not accepted is sent back with the reasons while attempts
 * are left. Every attempt is charged to the same limits.
 */
export async function completeRun(
  parts: RunParts,
  agent: AnyAgent,
  tools: RunTools,
  first: Answer,
): Promise<StructuredResult<Answer>> {
  const { saved, log } = parts
  const least = (saved.outputSchema ?? null) === null ? 1 : ATTEMPTS_AT_A_FORM
  // Runs of older versions have no attempts.
  const attempts = Math.max(least, saved.agent.attempts ?? 1)
  const begun = handedIn(tools, first)
  const guarded = await guardCompletion(parts, agent, tools, begun)
  let answer = guarded === begun ? begun : handedIn(tools, guarded)
  let checked = await checkAnswer(parts, answer)
  if (checked.kind === 'accepted') return checked.result
  // An earlier process may have rejected some.
  let attempt = countNotes(log.files.transcript, REJECTED) + 1
  while (checked.kind === 'rejected' && attempt < attempts) {
    await log.note(REJECTED, { attempt, reasons: checked.reasons })
    const text = `Your answer was not accepted (attempt ${attempt} of ${attempts}). ${checked.reasons}`
    answer = handedIn(tools, await askAgain(parts, agent, answer, text))
    checked = await checkAnswer(parts, answer)
    attempt++
  }
  return checked.result
}

/** If an agent claims work that it cannot have done, tells it so, once, and lets it continue. */
async function guardCompletion(
  parts: RunParts,
  agent: AnyAgent,
  { declarations }: RunTools,
  answer: Answer,
): Promise<Answer> {
  const { status, messages, output } = answer
  const said = typeof output === 'string' ? output : ''
  const work = { run: parts.saved, declarations, messages, answer: said }
  if (status !== 'completed' || !claimsUndoneWork(work)) return answer
  return askAgain(parts, agent, answer, GUARD_TEXT)
}

/** What was handed in with `submit` is the answer. A loop that ended otherwise after a tool call has no answer. */
function handedIn({ delegates }: RunTools, answer: Answer): Answer {
  const submission = delegates.takeSubmission()
  if (answer.status !== 'completed') return answer
  if (submission !== null) return { ...answer, output: submission }
  const last = answer.messages.at(-1) as { readonly role?: unknown } | undefined
  if (last?.role !== 'tool') return answer
  const message = `It did not finish within ${MOST_STEPS} steps, and none of its limits ends it. Set one, e.g. toolCalls.`
  return { ...answer, status: 'failed', output: null, error: new Error(message) }
}
