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
import { governedModels, type ResolvedModel } from '../models/index.ts'
import type { RunnerTools } from '../tools/create-tools.ts'
import { claimsUndoneWork, GUARD_TEXT } from './completion-guard.ts'
import { errorText, recordedTools } from './recorded-tools.ts'
import type { RunDesk } from './run-desk.ts'
import type { RunRecorder } from './run-recorder.ts'
import type { SavedRun } from './saved-run.ts'

/** Everything that an agent works with. */
export interface RunParts {
  readonly saved: SavedRun
  readonly scope: Scope
  readonly models: readonly ResolvedModel[]
  readonly desk: RunDesk
  readonly recorder: RunRecorder
}

// The limits bound the loop; this is for a run of which every limit only warns.
const MOST_STEPS = 1_000

/** The agent of the AI SDK, under the limits of its scope, with everything that is said written down. */
export function buildAgent(parts: RunParts, tools: RunnerTools): AnyAgent {
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
    // What ended the run is in its result.
    onError: () => {},
  })
  return new ToolLoopAgent({
    ...settings,
    tools: recordedTools((settings.tools ?? {}) as AnyTools, recorder) as ToolSet,
  })
}

/** The models of a run. Every answer is recorded as a whole before anything follows from it. */
function recordedModels({ saved, scope, models, desk, recorder }: RunParts): LanguageModelV3 {
  const { thinking } = saved.agent
  const { onAnswer, onAttempt, onModelCall: onCall } = recorder
  const onRetry = (error: unknown, waitMs: number): void =>
    desk.warn(`The model failed (${errorText(error)}) and was asked again after ${waitMs} ms.`)
  // Retries are ours: those of the AI SDK would wait on when the time is up.
  return governedModels(scope, models, { thinking, onAttempt }, { onCall, onAnswer, onRetry, retriesLast: true })
}

/** Makes a scope one that an agent runs on, before the agent is there: with a closing call, unless it has none. */
export function expectRun({ saved, scope, models }: RunParts): void {
  governed(scope, { model: governedModels(scope, models), wrapUp: saved.wrapUp })
}

/** Begins with the task, which is written down already. */
export function beginRun(parts: RunParts, agent: AnyAgent, first: unknown): Promise<GovernedResult> {
  return runGoverned(parts.scope, agent, { messages: [first], stream: true }, { close: false })
}

/** A loop that ended in the middle of its work ran into the bound of last resort. */
export function refuseEndless<Result extends Pick<GovernedResult, 'status' | 'messages' | 'output' | 'error'>>(
  result: Result,
): Result {
  const last = result.messages.at(-1) as { readonly role?: unknown } | undefined
  if (result.status !== 'completed' || last?.role !== 'tool') return result
  const message = `It did not come to an end in ${MOST_STEPS} steps, and none of its limits ends it. Set one, e.g. toolCalls.`
  return { ...result, status: 'failed', output: null, error: new Error(message) }
}

/** Once, an agent that says it has done what it cannot have done is told so. */
export async function guardCompletion(
  { saved, scope, desk }: RunParts,
  agent: AnyAgent,
  { declarations }: RunnerTools,
  result: GovernedResult,
): Promise<GovernedResult> {
  const { status, messages, output } = result
  const answer = typeof output === 'string' ? output : ''
  const work = { run: saved, declarations, messages, answer }
  if (status !== 'completed' || !claimsUndoneWork(work)) return result
  const reminder = { role: 'user', content: GUARD_TEXT }
  await desk.record(reminder)
  try {
    const input = { messages: [...messages, reminder], stream: true }
    const again = await runGoverned(scope, agent, input, { close: false })
    return { ...again, partialOutput: again.status === 'completed' ? null : (again.partialOutput ?? answer) }
  } catch (error) {
    // Somebody has paused it just now: what it said is its answer.
    if (isStintError(error, 'scope_paused')) return result
    throw error
  }
}
