import { assertKnownOptions, InvalidOptionError, optionNames, suggestName } from '../../../core/index.ts'
import type { AnyTools, ToolDeclaration } from './any-tool.ts'
import type { ToolDeclarations } from './declaration-of.ts'

const DECLARATION = optionNames<ToolDeclaration>({
  changes: true,
  polls: true,
  endsWork: true,
  showsProgress: true,
  timeoutMs: true,
})

/** Refuses the declaration of a missing tool: a misspelled name would have no effect. */
export function assertDeclared(tools: AnyTools, declare: ToolDeclarations): void {
  const names = Object.keys(tools)
  for (const [name, declaration] of Object.entries(declare)) {
    assertKnownOptions(`declare: { ${name} }`, declaration, DECLARATION)
    if (Object.hasOwn(tools, name)) continue
    const suggestion = suggestName(name, names)
    const form = suggestion === null ? `one of the tools: ${names.join(', ')}` : `a tool; did you mean "${suggestion}"?`
    throw new InvalidOptionError('governedTools({ declare })', name, form)
  }
}
