/** Long work in short pieces: at each `yield` whoever runs it may let others go first. */
export type Steps<Result> = Generator<void, Result, void>

/** Does all of it at once. */
export function runThrough<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
