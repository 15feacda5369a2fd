/** What a file says, as plain values, and where in it each field stands. */
export interface Document {
  readonly file: string
  /** Objects in it have no prototype, so that no key means anything but itself. */
  readonly value: unknown
  lineOf(field: string): number | undefined
}

/** Something in a file that cannot be read. */
export interface DocumentProblem {
  readonly file: string
  /** `null`: it is about the whole file. */
  readonly line: number | null
  /** `''`: it is about no field in particular. */
  readonly field: string
  /** What is wrong, and a valid form. */
  readonly message: string
}
