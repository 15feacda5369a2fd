/** Long work in short steps: at each `yield`, other work can run. */
export type Steps<Result> = Generator<void, Result, void>

/** Runs all steps at once. */
export function runThrough<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
