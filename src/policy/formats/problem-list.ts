import { InvalidLimitError, type LimitProblem } from '../limits/invalid-limit-error.ts'
import type { Refusal } from './reading-result.ts'

/** Collects problems, so that people see all of them at once. */
export interface ProblemList {
  add(problem: LimitProblem): void
  /** Adds why `value`, written at `place`, was refused. */
  refuse(place: string, value: unknown, refusal: Refusal): void
  /** Throws one `InvalidLimitError` with all problems, if there are any. */
  throwIfAny(): void
}

// A document may have a million wrong keys.
const MOST_PROBLEMS = 100

export function createProblemList(): ProblemList {
  const problems: LimitProblem[] = []
  const add = (problem: LimitProblem) => {
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }
  return {
    add,
    refuse: (place, value, { message, suggestion }) => {
      add({ place, value, message, ...(suggestion === undefined ? {} : { suggestion }) })
    },
    throwIfAny: () => {
      if (problems.length > 0) throw new InvalidLimitError(problems)
    },
  }
}
