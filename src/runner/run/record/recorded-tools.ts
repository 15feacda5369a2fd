import type { AnyTools, ToolRefusedError } from '../../../adapters/ai-sdk/index.ts'
import { isStintError } from '../../../core/index.ts'
import type { ToolResultPart } from '../language-model.ts'
import type { ToolEnd } from '../run-progress.ts'

export interface ToolRecorder {
  onToolCall(call: { readonly id: string; readonly tool: string; readonly input: unknown }): void
  /** The result that the model will see. The run continues only after this has resolved. */
  onResult(result: ToolResultPart, end: ToolEnd): Promise<void>
  /** The run was paused before the call had a result: it is made again when the run continues. */
  onLeftOpen(id: string): void
}

type Output = ToolResultPart['output']

interface ExecutedTool {
  readonly execute?: (input: unknown, options: { readonly toolCallId: string }) => unknown
  readonly toModelOutput?: (given: { toolCallId: string; input: unknown; output: unknown }) => unknown
}

/** Records every result of these tools, including refusals and failures. */
export function recordedTools<Tools extends AnyTools>(tools: Tools, recorder: ToolRecorder): Tools {
  const recorded = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool as ExecutedTool
    if (typeof execute !== 'function') return [name, tool]
    return [name, { ...tool, execute: recordedExecute(name, tool as ExecutedTool, execute, recorder) }]
  })
  return Object.fromEntries(recorded) as Tools
}

function recordedExecute(
  name: string,
  tool: ExecutedTool,
  execute: NonNullable<ExecutedTool['execute']>,
  { onToolCall, onResult, onLeftOpen }: ToolRecorder,
) {
  return async (input: unknown, options: CallOptions): Promise<unknown> => {
    const { toolCallId } = options
    onToolCall({ id: toolCallId, tool: name, input })
    const part = (output: Output): ToolResultPart => ({ type: 'tool-result', toolCallId, toolName: name, output })
    let output: unknown
    try {
      output = await execute.call(tool, input, options)
    } catch (error) {
      // It has no result until the run continues, and is then made again.
      if (isStintError<ToolRefusedError>(error, 'tool_refused') && error.isLeftOpen) {
        onLeftOpen(toolCallId)
        throw error
      }
      await onResult(part({ type: 'error-text', value: errorText(error) }), endOf(error, options.abortSignal))
      throw error
    }
    await onResult(part(await modelOutput(tool, { toolCallId, input, output })), 'done')
    return output
  }
}

interface CallOptions {
  readonly toolCallId: string
  readonly abortSignal?: AbortSignal
}

/** An aborted call counts as stopped, not failed. */
function endOf(error: unknown, signal: AbortSignal | undefined): ToolEnd {
  if (!isStintError<ToolRefusedError>(error, 'tool_refused')) return signal?.aborted === true ? 'stopped' : 'failed'
  return error.wasStopped ? 'stopped' : 'refused'
}

/** The output as the AI SDK shows it to the model. */
async function modelOutput(
  { toModelOutput }: ExecutedTool,
  given: { toolCallId: string; input: unknown; output: unknown },
): Promise<Output> {
  if (toModelOutput !== undefined) return (await toModelOutput(given)) as Output
  if (typeof given.output === 'string') return { type: 'text', value: given.output }
  return { type: 'json', value: (given.output ?? null) as never }
}

/** The message of anything that can be thrown. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message
  if (typeof error === 'string') return error
  return error === null || error === undefined ? 'unknown error' : (JSON.stringify(error) ?? String(error))
}
