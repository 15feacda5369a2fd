import { jsonIn } from '../../run/end/structured-answer.ts'

/** The output of a step: its text, and its value if it has one. */
export interface OutputValue {
  readonly text: string
  /** Absent: it is only text. */
  readonly structured?: unknown
}

/** The value of an output, for a fan-out; `null` if its text is not JSON. */
export function valueOfOutput({ text, structured }: OutputValue): { readonly value: unknown } | null {
  return structured === undefined ? jsonIn(text) : { value: structured }
}

/** A value as inserted into a template. */
export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
