/** A bug: one place of the source as it is, and as somebody might have got it wrong. */
export interface Mutant {
  readonly name: string
  /** Below `src`. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** Default: memory. */
  readonly store?: 'sqlite'
}
