import { assertKnownOptions, optionNames } from '../../../core/index.ts'
import type { Scope } from '../../../governor/index.ts'
import { loopOf } from '../agent-loop.ts'
import { markGoverned, partToGovern } from '../governed-part.ts'
import type { AnyTool, AnyTools, Execute, ToolDeclaration } from './any-tool.ts'
import { assertDeclared } from './assert-declared.ts'
import { declarationOf, type ToolDeclarations } from './declaration-of.ts'
import { governedExecute, type ToolContext } from './governed-execute.ts'

export interface GovernedToolsOptions {
  /** Declared properties of the tools, by name. */
  readonly declare?: ToolDeclarations
  /** Whether repeated identical calls are suppressed. Default: no. */
  readonly repeatGuard?: boolean
}

const OPTIONS = optionNames<GovernedToolsOptions>({ declare: true, repeatGuard: true })

/**
 * Tools that are called through a scope: as many of a batch as are left, in order. Tools without `execute` run
 * elsewhere and are unchanged; so are approvals, and tools already governed on this path.
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

/** The same, where declarations may be for other tools too. */
export function governAll<Tools extends AnyTools>(scope: Scope, tools: Tools, options: GovernedToolsOptions): Tools {
  const { declare = {}, repeatGuard = false } = options
  // From here on, part of the scope's loops is governed, even if it has not been called yet.
  loopOf(scope)
  const governed = Object.entries(tools).map(([name, tool]) => {
    const declared = declarationOf(declare, name)
    return [name, governedTool({ scope, name, declared, isGuarded: repeatGuard }, tool)] as const
  })
  return Object.fromEntries(governed) as AnyTools as Tools
}

// By the governed `execute`: a declaration at a scope above also holds below it.
const DECLARED = new WeakMap<object, ToolDeclaration>()

function governedTool(context: ToolContext, tool: AnyTool): AnyTool {
  const { scope } = context
  if (typeof tool.execute !== 'function') return tool
  // The mark is on `execute`, not on the tool: with another `execute` it is another tool.
  const inner = partToGovern(scope, tool.execute) as Execute | null
  if (inner === null) return tool
  const declared = { ...DECLARED.get(tool.execute), ...context.declared }
  const execute = governedExecute({ ...context, declared }, tool, inner)
  DECLARED.set(execute, declared)
  return { ...tool, execute: markGoverned(execute, scope, inner) }
}
