/** Where a value stands in a body, in bytes; `end` is behind its last byte. */
export interface JsonSpan {
  readonly kind: 'object' | 'array' | 'string' | 'other'
  readonly start: number
  readonly end: number
  /** How many values it holds, itself included. */
  readonly values: number
  /** Only of an object that the shape names: its members in order, each key once. */
  readonly members: readonly JsonMember[]
  /** Only of an array that the shape names. */
  readonly elements: readonly JsonSpan[]
}

export interface JsonMember {
  readonly key: string
  /** Where the quote of the key stands. */
  readonly keyStart: number
  readonly value: JsonSpan
}

/** Which values of a body are looked into. What a shape does not name is walked over, and its inside stays unknown. */
export interface JsonShape {
  /** The value may be an object: its members are wanted, and of these the inside that is named here. */
  readonly members?: Readonly<Record<string, JsonShape>>
  /** The value may be an array: its elements are wanted, each with this inside. */
  readonly elements?: JsonShape
}

/** The member of an object with this key; `null` if it has none, or was not looked into. */
export function memberOf(span: JsonSpan | null | undefined, key: string): JsonSpan | null {
  return span?.members.find((member) => member.key === key)?.value ?? null
}
