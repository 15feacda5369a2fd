import type { AgentLoop } from '../agent-loop.ts'
import { callToolGoverned } from './call-tool-governed.ts'
import { declarationOf } from './declaration-of.ts'
import type { GovernedToolsOptions } from './governed-tools.ts'

/** A step of a loop, as far as its tool calls are concerned. */
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
 * Counts the calls of a step that the AI SDK rejected: of a missing tool, or with invalid input. They are failed tool
 * calls like others; uncounted, a loop of them would be unbounded.
 */
export async function countInvalidCalls(
  loop: AgentLoop,
  step: StepWithCalls | undefined,
  { declare = {}, repeatGuard = false }: GovernedToolsOptions,
): Promise<void> {
  for (const { toolCallId, toolName: name, input, invalid, providerExecuted, error } of step?.toolCalls ?? []) {
    // Provider-run calls are counted with the answer they came in.
    if (invalid !== true || providerExecuted === true) continue
    const declared = declarationOf(declare, name)
    const call = { loop, name, declared, isGuarded: repeatGuard, input, options: { toolCallId } }
    // The loop records what a limit does about it, and the next model call runs into that.
    await callToolGoverned(call, () => Promise.reject(error)).catch(() => {})
  }
}
