/** Whether a value was written in an object or after the `=` of `KEY=VALUE`. */
export type Writing = 'object' | 'text'

/** What is wrong with a value, and for a near miss the name that was probably meant. */
export interface Refusal {
  readonly ok: false
  readonly message: string
  readonly suggestion?: string
}

/** The value that was read, or what is wrong with it. */
export type Reading<Value> = { readonly ok: true; readonly value: Value } | Refusal

export function read<Value>(value: Value): Reading<Value> {
  return { ok: true, value }
}

/** A suggestion is also appended to the message. */
export function refuse(message: string, suggestion: string | null = null): Refusal {
  if (suggestion === null) return { ok: false, message }
  return { ok: false, message: `${message} Did you mean ${JSON.stringify(suggestion)}?`, suggestion }
}
