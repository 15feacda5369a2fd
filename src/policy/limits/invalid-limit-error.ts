import { printable } from '../../core/checks/printable.ts'
import { StintError } from '../../core/stint-error.ts'

// Including the header and the line for the rest.
const MOST_LINES = 10

/** Limits that cannot be read as written. Lists all problems at once. */
export class InvalidLimitError extends StintError<'invalid_limit'> {
  readonly problems: readonly {
    /** Where it is written: field, file and line, flag or call. */
    readonly place: string
    readonly value: unknown
    /** What is wrong, and a valid form. */
    readonly message: string
    /** The name that was probably meant. */
    readonly suggestion?: string
  }[]

  constructor(problems: InvalidLimitError['problems']) {
    const shown = problems.map(printableProblem)
    super('invalid_limit', messageOf(shown))
    this.problems = shown
  }
}

/** One problem with a written limit. */
export type LimitProblem = InvalidLimitError['problems'][number]

// A key, a value or a file name may have a line break or an escape sequence; a message must not.
function printableProblem(problem: LimitProblem): LimitProblem {
  return { ...problem, place: printable(problem.place), message: printable(problem.message) }
}

function messageOf(problems: readonly LimitProblem[]): string {
  const lines = problems.map(({ place, message }) => `${place}: ${message}`)
  if (lines.length === 1) return lines[0]!
  const shown = lines.length < MOST_LINES ? lines : lines.slice(0, MOST_LINES - 2)
  const left = lines.length - shown.length
  const rest = left === 0 ? [] : [`… and ${left} more`]
  return [`${lines.length} limits cannot be read:`, ...shown.map((line) => `- ${line}`), ...rest].join('\n')
}
