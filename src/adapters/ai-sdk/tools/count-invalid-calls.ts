import type { AgentLoop } from '../agent-loop.ts'
import { callToolGoverned } from './call-tool-governed.ts'
import { declarationOf } from './declaration-of.ts'
import type { GovernedToolsOptions } from './governed-tools.ts'

/** A step of a loop, as far as its tool calls go. */
export interface StepWithCalls {
  readonly toolCalls?: readonly {
    readonly toolCallId: string
    readonly toolName: string
    readonly input: unknown
    readonly invalid?: boolean
    readonly providerExecuted?: boolean
    readonly error?: unknown
  }[]
}

/**
 * Counts the calls of a step that the AI SDK answered by itself: of a tool that is not there, or with an input that does
 * not fit. They are tool calls that failed, like others; uncounted, a loop of them would have no bound.
 */
export async function countInvalidCalls(
  loop: AgentLoop,
  step: StepWithCalls | undefined,
  { declare = {}, repeatGuard = false }: GovernedToolsOptions,
): Promise<void> {
  for (const { toolCallId, toolName: name, input, invalid, providerExecuted, error } of step?.toolCalls ?? []) {
    // Those of the provider are counted with the answer that they came in.
    if (invalid !== true || providerExecuted === true) continue
    const declared = declarationOf(declare, name)
    const call = { loop, name, declared, isGuarded: repeatGuard, input, options: { toolCallId } }
    // What a limit makes of it is in the loop, and the next model call meets it.
    await callToolGoverned(call, () => Promise.reject(error)).catch(() => {})
  }
}
