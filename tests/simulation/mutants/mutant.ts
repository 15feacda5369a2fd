/**
 * A bug: an expression of the source as it is, and as it could have been got wrong. It is found by the function that it
 * is in and not by its file, so that moving a function moves the bug with it.
 */
export interface Mutant {
  readonly name: string
  /** The function around it: one of that name has the expression, in all of `src`. */
  readonly in: string
  /** Appears in the function exactly once. Line breaks and trailing commas do not count. */
  readonly find: string
  readonly replace: string
  /** The store whose simulation catches it. Default: memory. */
  readonly store?: 'sqlite' | 'postgres'
  /** The test file that catches it instead, for code that the simulation does not play. */
  readonly caughtBy?: string
}
