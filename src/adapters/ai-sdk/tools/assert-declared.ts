import { InvalidOptionError, suggestName } from '../../../core/index.ts'
import type { AnyTools } from './any-tool.ts'

/** Refuses what is said of a tool that is not there: a misspelled name would say it of none. */
export function assertDeclared(tools: AnyTools, declare: object): void {
  const names = Object.keys(tools)
  for (const name of Object.keys(declare)) {
    if (Object.hasOwn(tools, name)) continue
    const suggestion = suggestName(name, names)
    const form = suggestion === null ? `one of the tools: ${names.join(', ')}` : `a tool; did you mean "${suggestion}"?`
    throw new InvalidOptionError('governedTools({ declare })', name, form)
  }
}
