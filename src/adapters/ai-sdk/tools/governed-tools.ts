import { assertKnownOptions, optionNames } from '../../../core/index.ts'
import type { Scope } from '../../../governor/index.ts'
import { loopOf } from '../agent-loop.ts'
import { markGoverned, partToGovern } from '../governed-part.ts'
import type { AnyTool, AnyTools, Execute, ToolDeclaration } from './any-tool.ts'
import { assertDeclared } from './assert-declared.ts'
import { declarationOf, type ToolDeclarations } from './declaration-of.ts'
import { governedExecute, type ToolSeat } from './governed-execute.ts'

export interface GovernedToolsOptions {
  /** What is true of the tools, by their names. */
  readonly declare?: ToolDeclarations
  /** Whether calls that go round in circles are suppressed. Default: no. */
  readonly repeatGuard?: boolean
}

const OPTIONS = optionNames<GovernedToolsOptions>({ declare: true, repeatGuard: true })

/**
 * Tools that are called through a scope: of a batch as many as are left, in order. What has no `execute` is run by
 * somebody else and is left as it is; so is everything about approvals, and what is governed on this path already.
 */
export function governedTools<Tools extends AnyTools>(
  scope: Scope,
  tools: Tools,
  options: GovernedToolsOptions = {},
): Tools {
  assertKnownOptions('governedTools', options, OPTIONS)
  assertDeclared(tools, options.declare ?? {})
  return governAll(scope, tools, options)
}

/** The same, where what is declared may be of other tools too. */
export function governAll<Tools extends AnyTools>(scope: Scope, tools: Tools, options: GovernedToolsOptions): Tools {
  const { declare = {}, repeatGuard = false } = options
  // From here on something of the scope's loops is governed, whether or not it was called yet.
  loopOf(scope)
  const governed = Object.entries(tools).map(([name, tool]) => {
    const declared = declarationOf(declare, name)
    return [name, governedTool({ scope, name, declared, isGuarded: repeatGuard }, tool)] as const
  })
  return Object.fromEntries(governed) as AnyTools as Tools
}

// By the governed `execute`: what was said of a tool by a scope above holds below it too.
const DECLARED = new WeakMap<object, ToolDeclaration>()

function governedTool(seat: ToolSeat, tool: AnyTool): AnyTool {
  const { scope } = seat
  if (typeof tool.execute !== 'function') return tool
  // The mark is on `execute`, not on the tool: one that is given another `execute` is another tool.
  const inner = partToGovern(scope, tool.execute) as Execute | null
  if (inner === null) return tool
  const declared = { ...DECLARED.get(tool.execute), ...seat.declared }
  const execute = governedExecute({ ...seat, declared }, tool, inner)
  DECLARED.set(execute, declared)
  return { ...tool, execute: markGoverned(execute, scope, inner) }
}
