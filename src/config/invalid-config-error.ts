import { printable } from '../core/checks/printable.ts'
import { StintError } from '../core/index.ts'

/** One thing that is wrong with a config file or a variable of the environment. */
export interface ConfigProblem {
  /** The field, and the file and line that it is written in. */
  readonly place: string
  readonly value: unknown
  /** What is wrong, and a valid form. */
  readonly message: string
  /** The name that was probably meant. */
  readonly suggestion?: string
}

// An error fits on one screen.
const MOST_LINES = 12

/** A config with mistakes. Lists all of them at once. */
export class InvalidConfigError extends StintError<'invalid_config'> {
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super('invalid_config', messageOf(problems))
    this.problems = problems
  }
}

function messageOf(problems: readonly ConfigProblem[]): string {
  const lines = problems.map(({ place, message }) => printable(`${place}: ${message}`))
  if (lines.length === 1) return lines[0]!
  const shown = lines.slice(0, MOST_LINES)
  const left = lines.length - shown.length
  const rest = left === 0 ? [] : [`… and ${left} more`]
  return [`The config has ${lines.length} problems:`, ...shown.map((line) => `- ${line}`), ...rest].join('\n')
}
