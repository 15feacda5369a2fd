/** The content of a file as plain values, and the line of each field. */
export interface Document {
  readonly file: string
  /** Objects in it have no prototype, so that no key is special. */
  readonly value: unknown
  lineOf(field: string): number | undefined
}

/** A problem with a file. */
export interface DocumentProblem {
  readonly file: string
  /** `null`: the whole file. */
  readonly line: number | null
  /** `''`: no particular field. */
  readonly field: string
  /** What is wrong, and a valid form. */
  readonly message: string
}

const PLAIN_KEY = /^[A-Za-z_$][\w$-]{0,63}$/

/** The path of a field below another, as messages and limit sources show it: `budgets."team:core".limits[0]`. */
export function fieldName(parent: string, step: string | number): string {
  if (typeof step === 'number') return `${parent}[${step}]`
  const key = PLAIN_KEY.test(step) ? step : JSON.stringify(step.slice(0, 64))
  return parent === '' ? key : `${parent}.${key}`
}
