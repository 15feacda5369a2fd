import { jsonIn } from '../../run/end/structured-answer.ts'

/** What a step has given: its text, and the value where that is one. */
export interface OutputValue {
  readonly text: string
  /** Absent: it is text only. */
  readonly structured?: unknown
}

/** The value of an output, for a fan-out over it; `null` where its text is not JSON. */
export function valueOfOutput({ text, structured }: OutputValue): { readonly value: unknown } | null {
  return structured === undefined ? jsonIn(text) : { value: structured }
}

/** A value as it stands in a template. */
export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
