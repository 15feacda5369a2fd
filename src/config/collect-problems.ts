import { isStintError } from '../core/index.ts'
import type { InvalidLimitError } from '../policy/index.ts'
import type { ConfigProblem, InvalidConfigError } from './invalid-config-error.ts'

/** What `parse` returns; if it refuses the value, `null`, with its problems added to the others. */
export function collectProblems<Value>(problems: ConfigProblem[], parse: () => Value): Value | null {
  try {
    return parse()
  } catch (error) {
    if (isStintError<InvalidLimitError>(error, 'invalid_limit')) problems.push(...error.problems)
    else if (isStintError<InvalidConfigError>(error, 'invalid_config')) problems.push(...error.problems)
    else throw error
    return null
  }
}
