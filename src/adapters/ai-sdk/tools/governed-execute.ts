import type { Scope } from '../../../governor/index.ts'
import { loopOf } from '../agent-loop.ts'
import type { AnyTool, Execute, ToolCallOptions, ToolDeclaration } from './any-tool.ts'
import { callToolGoverned, type LoopToolCall } from './call-tool-governed.ts'
import { createPartQueue } from './part-queue.ts'

/** A tool, and what is known of it. */
export interface ToolContext {
  readonly scope: Scope
  readonly name: string
  readonly declared: ToolDeclaration
  readonly isGuarded: boolean
}

/** The `execute` of a tool, called through a scope. Preliminary results are shown while it runs. */
export function governedExecute(context: ToolContext, tool: AnyTool, execute: Execute): Execute {
  const { scope, ...rest } = context
  const callOf = (input: unknown, options: ToolCallOptions): LoopToolCall => ({
    ...rest,
    loop: loopOf(scope),
    input,
    options,
  })
  if (!isAsyncGenerator(execute) && context.declared.showsProgress !== true) {
    return (input, options) =>
      callToolGoverned(callOf(input, options), async (given) => lastOf(await execute.call(tool, input, given)))
  }
  return async function* (input, options) {
    const parts = createPartQueue()
    const result = callToolGoverned(callOf(input, options), (given) =>
      lastOf(execute.call(tool, input, given), parts.push),
    ).finally(parts.end)
    result.catch(() => {})
    yield* parts.all()
    await result
  }
}

function isAsyncGenerator(execute: Execute): boolean {
  return Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]'
}

/** A result, or the last of several preliminary ones. */
async function lastOf(result: unknown, onPart: (part: unknown) => void = () => {}): Promise<unknown> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result
  let last: unknown
  for await (const part of result as AsyncIterable<unknown>) {
    last = part
    onPart(part)
  }
  return last
}
