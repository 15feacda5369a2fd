import { InvalidOptionError, suggestName } from '../../../core/index.ts'
import type { Scope } from '../../../governor/index.ts'
import { type AgentLoop, loopOf } from '../agent-loop.ts'
import type { AnyTool, AnyTools, Execute, ToolCallOptions, ToolDeclaration } from './any-tool.ts'
import { callToolGoverned } from './call-tool-governed.ts'
import { createPartQueue } from './part-queue.ts'

export interface GovernedToolsOptions {
  /** What is true of the tools, by their names. */
  readonly declare?: Readonly<Record<string, ToolDeclaration>>
  /** Whether calls that go round in circles are suppressed. Default: no. */
  readonly repeatGuard?: boolean
}

// On the tool, as on models: what the scope governs already is not counted twice.
const GOVERNED_BY = Symbol.for('stint.governedBy')

/** Marks a tool of our own that is never counted. */
export function uncounted<Tool extends AnyTool>(scope: Scope, tool: Tool): Tool {
  return Object.assign(tool, { [GOVERNED_BY]: scope.id })
}

/**
 * Tools that are called through a scope: of a batch as many as are left, in order. What has no `execute` is run by
 * somebody else and is left as it is; so is everything about approvals.
 */
export function governedTools<Tools extends AnyTools>(
  scope: Scope,
  tools: Tools,
  options: GovernedToolsOptions = {},
): Tools {
  const { declare = {}, repeatGuard = false } = options
  assertDeclared(tools, declare)
  const loop = loopOf(scope)
  const governed = Object.entries(tools).map(([name, tool]) => {
    const isKnown = (tool as { readonly [GOVERNED_BY]?: string })[GOVERNED_BY] === scope.id
    if (isKnown || typeof tool.execute !== 'function') return [name, tool] as const
    const declared = Object.hasOwn(declare, name) ? declare[name]! : {}
    const execute = governedExecute({ loop, name, declared, isGuarded: repeatGuard }, tool, tool.execute as Execute)
    return [name, { ...tool, execute, [GOVERNED_BY]: scope.id }] as const
  })
  return Object.fromEntries(governed) as AnyTools as Tools
}

interface ToolSeat {
  readonly loop: AgentLoop
  readonly name: string
  readonly declared: ToolDeclaration
  readonly isGuarded: boolean
}

function governedExecute(seat: ToolSeat, tool: AnyTool, execute: Execute): Execute {
  const call = (input: unknown, options: ToolCallOptions) => ({ ...seat, input, options })
  if (!isAsyncGenerator(execute)) {
    return (input, options) =>
      callToolGoverned(call(input, options), async (given) => lastOf(await execute.call(tool, input, given)))
  }
  // A tool that shows preliminary results shows them while it runs.
  return async function* (input, options) {
    const parts = createPartQueue()
    const result = callToolGoverned(call(input, options), (given) =>
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

/** A result, or the last of those that come one after the other. */
async function lastOf(result: unknown, onPart: (part: unknown) => void = () => {}): Promise<unknown> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result
  let last: unknown
  for await (const part of result as AsyncIterable<unknown>) {
    last = part
    onPart(part)
  }
  return last
}

function assertDeclared(tools: AnyTools, declare: object): void {
  const names = Object.keys(tools)
  for (const name of Object.keys(declare)) {
    if (Object.hasOwn(tools, name)) continue
    const suggestion = suggestName(name, names)
    const form = suggestion === null ? `one of the tools: ${names.join(', ')}` : `a tool; did you mean "${suggestion}"?`
    throw new InvalidOptionError('governedTools({ declare })', name, form)
  }
}
