import { type Breaches, isStintError } from '../../../core/index.ts'
import {
  type GuardedOutcome,
  notRunResult,
  refusedToolResult,
  stoppedToolResult,
  type ToolGrant,
} from '../../../governor/index.ts'
import { type AgentLoop, guardOf, runOutsideLoops } from '../agent-loop.ts'
import type { ToolCallOptions, ToolDeclaration } from './any-tool.ts'
import { ToolRefusedError } from './tool-refused-error.ts'

/** A tool call, as received from the AI SDK. */
export interface LoopToolCall {
  readonly loop: AgentLoop
  readonly name: string
  readonly declared: ToolDeclaration
  readonly isGuarded: boolean
  readonly input: unknown
  readonly options: ToolCallOptions
}

/**
 * Runs a tool within the limits of its scope. A call that may not run throws `ToolRefusedError`: the AI SDK turns that
 * into the result that the model sees, so that a tool's output is always its own.
 */
export async function callToolGoverned(
  call: LoopToolCall,
  run: (options: ToolCallOptions) => Promise<unknown>,
): Promise<unknown> {
  const { loop, name, declared, input, options } = call
  const { polls, showsProgress: _, ...spec } = declared
  const { endsWork = false } = declared
  // The format of the closing answer itself: the limit has already acted.
  if (endsWork && loop.closingText !== null) return run(options)
  const { abortSignal } = options
  let hasBegun = false
  const admitted = ({ signal }: ToolGrant) => {
    hasBegun = true
    const either = abortSignal === undefined ? signal : AbortSignal.any([abortSignal, signal])
    return runOutsideLoops(() => run({ ...options, abortSignal: either }))
  }
  const tool = { ...spec, name, ...(abortSignal === undefined ? {} : { signal: abortSignal }) }
  const guarded = { ...tool, arguments: input, ...(polls === undefined ? {} : { polls }) }
  const started = call.isGuarded
    ? guardOf(loop).callTool(guarded, admitted)
    : loop.scope.callTool<unknown>(tool, admitted)
  const outcome = await started.catch((error: unknown): never => {
    if (!isStintError(error, 'scope_paused')) throw error
    loop.isHeldUp = true
    throw new ToolRefusedError(name, notRunResult(null), null, null, { isLeftOpen: hasBegun })
  })
  if (outcome.kind !== 'done') throw refusal(loop, name, outcome)
  if (endsWork) loop.isWorkEnded = true
  return outcome.value
}

type NotRun = Exclude<GuardedOutcome<unknown>, { readonly value: unknown }>

function refusal(loop: AgentLoop, name: string, outcome: NotRun): ToolRefusedError {
  if (outcome.kind === 'stopped') {
    loop.mayBeHalfDone ||= outcome.mayBeHalfDone
    if (outcome.by !== null) loop.stoppedBy ??= [outcome.by]
    return new ToolRefusedError(name, stoppedToolResult(outcome), outcome.by, outcome)
  }
  if (outcome.kind === 'suppressed') return new ToolRefusedError(name, outcome.reason, null)
  loop.stoppedBy ??= outcome.breaches as unknown as Breaches
  const text = 'reason' in outcome ? outcome.reason : refusedToolResult(outcome.breach)
  return new ToolRefusedError(name, text, outcome.breach)
}
