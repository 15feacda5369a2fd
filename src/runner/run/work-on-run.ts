import { stepCountIs, ToolLoopAgent, type ToolSet } from 'ai'
import {
  type AnyAgent,
  type AnyTools,
  governed,
  type LanguageModelV3,
  runGoverned,
} from '../../adapters/ai-sdk/index.ts'
import { isStintError } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { governedModels, type ResolvedModel } from '../models/index.ts'
import type { Answer } from './end/answer.ts'
import { errorText, recordedTools } from './record/recorded-tools.ts'
import type { RunRecorder } from './record/run-recorder.ts'
import type { SavedRun } from './record/saved-run.ts'
import type { RunLog } from './run-log.ts'
import type { RunTools } from './run-tools.ts'
import type { RunnerContext } from './runner.ts'

/** Everything that an agent needs to run. */
export interface RunParts {
  readonly context: RunnerContext
  readonly saved: SavedRun
  readonly scope: Scope
  readonly models: readonly ResolvedModel[]
  readonly log: RunLog
  readonly recorder: RunRecorder
}

// Limits bound the loop; this is for a run whose limits all only warn.
export const MOST_STEPS = 1_000

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

/** Starts with the task, which has already been recorded: a run that is paused before it begins can be resumed. */
export async function beginRun({ scope }: RunParts, agent: AnyAgent, messages: readonly unknown[]): Promise<Answer> {
  try {
    return await runGoverned(scope, agent, { messages, stream: true }, { close: false })
  } catch (error) {
    if (!isStintError(error, 'scope_paused') || scope.status() !== 'paused') throw error
    const breach = edgeOf(scope).end().pausedBy?.[0] ?? null
    const nothing = { output: null, partialOutput: null, mayBeHalfDone: false, error: null }
    return { ...nothing, status: 'paused', breach, messages }
  }
}
