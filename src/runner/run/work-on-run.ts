import { stepCountIs, ToolLoopAgent, type ToolSet } from 'ai'
import {
  type AnyAgent,
  type AnyTools,
  type GovernedResult,
  governed,
  type LanguageModelV3,
  runGoverned,
} from '../../adapters/ai-sdk/index.ts'
import { isStintError } from '../../core/index.ts'
import type { Scope } from '../../governor/index.ts'
import type { JsonSchema } from '../../policy/index.ts'
import { governedModels, type ResolvedModel } from '../models/index.ts'
import { claimsUndoneWork, GUARD_TEXT } from './end/completion-guard.ts'
import { structuredAnswer } from './end/structured-answer.ts'
import { errorText, recordedTools } from './record/recorded-tools.ts'
import type { RunRecorder } from './record/run-recorder.ts'
import type { SavedRun } from './record/saved-run.ts'
import type { RunLog } from './run-log.ts'
import type { RunTools } from './run-tools.ts'

/** Everything that an agent needs to run. */
export interface RunParts {
  readonly saved: SavedRun
  readonly scope: Scope
  readonly models: readonly ResolvedModel[]
  readonly log: RunLog
  readonly recorder: RunRecorder
}

// Limits bound the loop; this is for a run whose limits all only warn.
const MOST_STEPS = 1_000

/** The AI SDK's agent, governed by its scope, with every message recorded. */
export function buildAgent(parts: RunParts, tools: RunTools): AnyAgent {
  const { saved, scope, recorder } = parts
  const { agent, system, wrapUp } = saved
  const settings = governed(scope, {
    model: recordedModels(parts),
    tools: tools.tools as AnyTools,
    declare: tools.declarations,
    budgetTool: !agent.disallowedTools.includes('budget'),
    repeatGuard: agent.repeatGuard,
    wrapUp,
    instructions: system,
    maxRetries: 0,
    stopWhen: stepCountIs(MOST_STEPS),
    onStepFinish: recorder.onStep,
    // The result has the error.
    onError: () => {},
  })
  return new ToolLoopAgent({
    ...settings,
    tools: recordedTools((settings.tools ?? {}) as AnyTools, recorder) as ToolSet,
  })
}

/** The models of a run. Every answer is recorded before anything else happens. */
function recordedModels({ saved, scope, models, log, recorder }: RunParts): LanguageModelV3 {
  const { thinking } = saved.agent
  const { onAnswer, onAttempt, onModelCall: onCall } = recorder
  const onRetry = (error: unknown, waitMs: number): void =>
    log.warn(`The model failed (${errorText(error)}) and was retried after ${waitMs} ms.`)
  // We retry ourselves: the AI SDK would keep waiting when the time is up.
  return governedModels(scope, models, { thinking, onAttempt }, { onCall, onAnswer, onRetry, retriesLast: true })
}

/** Prepares a scope for an agent that is created later, with a closing call unless that is disabled. */
export function expectRun({ saved, scope, models }: RunParts): void {
  governed(scope, { model: governedModels(scope, models), wrapUp: saved.wrapUp })
}

/** Starts with the task, which has already been recorded. */
export function beginRun(parts: RunParts, agent: AnyAgent, messages: readonly unknown[]): Promise<GovernedResult> {
  return runGoverned(parts.scope, agent, { messages, stream: true }, { close: false })
}

/** What was handed in is the answer, and the loop has ended with it. */
export function withSubmission(result: GovernedResult, { delegates }: RunTools): GovernedResult {
  const submission = delegates.takeSubmission()
  if (submission === null || result.status !== 'completed') return result
  const answer = { role: 'assistant', content: [{ type: 'text', text: submission }] }
  return { ...result, output: submission, messages: [...result.messages, answer] }
}

/** A loop that ended after a tool call has reached the last-resort bound: the run fails. */
export function refuseEndless<Result extends Pick<GovernedResult, 'status' | 'messages' | 'output' | 'error'>>(
  result: Result,
): Result {
  const last = result.messages.at(-1) as { readonly role?: unknown } | undefined
  if (result.status !== 'completed' || last?.role !== 'tool') return result
  const message = `It did not finish within ${MOST_STEPS} steps, and none of its limits ends it. Set one, e.g. toolCalls.`
  return { ...result, status: 'failed', output: null, error: new Error(message) }
}

/** If an agent claims work that it cannot have done, tells it so, once, and lets it continue. */
export async function guardCompletion(
  { saved, scope, log }: RunParts,
  agent: AnyAgent,
  { declarations }: RunTools,
  result: GovernedResult,
): Promise<GovernedResult> {
  const { status, messages, output } = result
  const answer = typeof output === 'string' ? output : ''
  const work = { run: saved, declarations, messages, answer }
  if (status !== 'completed' || !claimsUndoneWork(work)) return result
  return askAgain({ scope, log }, agent, result, GUARD_TEXT)
}

/** A result, with its answer as the value that was asked for. */
export type StructuredResult<Result> = Result & { readonly structured?: unknown }

/** Once, an answer that does not match what it was to be is sent back; a second one that does not is a failure. */
export async function guardAnswer(
  parts: RunParts,
  agent: AnyAgent,
  result: GovernedResult,
): Promise<StructuredResult<GovernedResult>> {
  const { outputSchema = null } = parts.saved
  const first = withValue(result, outputSchema)
  if (outputSchema === null || first.status !== 'failed' || result.status !== 'completed') return first
  const text = `Your answer is not what was asked for. ${errorText(first.error)} Send the JSON value again, and nothing else.`
  return withValue(await askAgain(parts, agent, result, text), outputSchema)
}

type Answered = Pick<GovernedResult, 'status' | 'output' | 'partialOutput'> & { readonly error: unknown }

/** Reads the answer of a completed run as the value that it is to be. */
export function withValue<Result extends Answered>(
  result: Result,
  schema: JsonSchema | null,
): StructuredResult<Result> & { readonly error: Result['error'] | Error } {
  if (schema === null || result.status !== 'completed') return result
  const answer = typeof result.output === 'string' ? result.output : (JSON.stringify(result.output) ?? '')
  const read = structuredAnswer(answer, schema)
  if (read.kind === 'valid') {
    return { ...result, output: JSON.stringify(read.value, null, 2), structured: read.value }
  }
  const error = new Error(`The answer does not match outputSchema. ${read.message}`)
  return { ...result, status: 'failed', output: null, partialOutput: answer, error }
}

/** Goes on with one more message of ours. Where that cannot be, what was said before is the answer. */
async function askAgain(
  { scope, log }: Pick<RunParts, 'scope' | 'log'>,
  agent: AnyAgent,
  result: GovernedResult,
  text: string,
): Promise<GovernedResult> {
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
