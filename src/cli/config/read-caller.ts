import { assertScopeName, showValue } from '../../core/index.ts'
import type { Document } from '../../documents/index.ts'
import { problemIn } from './document.ts'
import type { ConfigProblem } from './invalid-config-error.ts'

/** Reads `team` or `user`: whose runs these are. `null` and a problem where it can be no name. */
export function readCaller(
  document: Document,
  field: 'team' | 'user',
  value: unknown,
  problems: ConfigProblem[],
): string | null {
  try {
    if (typeof value === 'string' && value.trim() !== '') {
      assertScopeName(`${field}:${value}`)
      return value
    }
  } catch {
    // Said below, with a name that is one.
  }
  const form = field === 'team' ? 'core' : 'ann'
  problems.push(problemIn(document, field, value, `${showValue(value)} is not a name. Write e.g. ${field}: ${form}.`))
  return null
}
