/** The position of a value in a body, in bytes; `end` is after its last byte. */
export interface JsonSpan {
  readonly kind: 'object' | 'array' | 'string' | 'other'
  readonly start: number
  readonly end: number
  /** How many values it contains, including itself. */
  readonly values: number
  /** Only for an object that the shape names: its members in order, each key once. */
  readonly members: readonly JsonMember[]
  /** Only for an array that the shape names. */
  readonly elements: readonly JsonSpan[]
}

export interface JsonMember {
  readonly key: string
  /** The position of the key's opening quote. */
  readonly keyStart: number
  readonly value: JsonSpan
}

/** Which values of a body are parsed for positions. Values that a shape does not name are skipped. */
export interface JsonShape {
  /** The value may be an object: its members are located, and inside them what is named here. */
  readonly members?: Readonly<Record<string, JsonShape>>
  /** The value may be an array: its elements are located, each with this shape. */
  readonly elements?: JsonShape
}

/** The member of an object with this key; `null` if it has none, or was not located. */
export function memberOf(span: JsonSpan | null | undefined, key: string): JsonSpan | null {
  for (const member of span?.members ?? []) if (member.key === key) return member.value
  return null
}
