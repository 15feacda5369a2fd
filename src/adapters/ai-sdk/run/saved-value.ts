import { isPlainObject } from '../../../core/index.ts'

// A value that JSON cannot hold becomes an object with exactly one of these keys; an object that looks like one is
// wrapped in LITERAL.
const BYTES = '$bytes'
const BUFFER = '$buffer'
const ADDRESS = '$url'
const LITERAL = '$literal'

/** A value in JSON form: bytes and URLs keep their types. */
export function savedValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [BYTES]: base64Of(value) }
  if (value instanceof ArrayBuffer) return { [BUFFER]: base64Of(new Uint8Array(value)) }
  if (value instanceof URL) return { [ADDRESS]: value.href }
  if (Array.isArray(value)) return value.map(savedValue)
  if (!isPlainObject(value)) return value
  const saved = mapped(value, savedValue)
  return markOf(value) === null ? saved : { [LITERAL]: saved }
}

/** Restores the value. Throws if `savedValue` did not produce it. */
export function valueFromSaved(saved: unknown): unknown {
  if (Array.isArray(saved)) return saved.map(valueFromSaved)
  if (!isPlainObject(saved)) return saved
  const mark = markOf(saved)
  if (mark === null) return mapped(saved, valueFromSaved)
  const held = saved[mark]
  if (mark === LITERAL && isPlainObject(held)) return mapped(held, valueFromSaved)
  if (typeof held !== 'string') throw new TypeError(`${mark} holds no text.`)
  if (mark === ADDRESS) return new URL(held)
  const bytes = new Uint8Array(Buffer.from(held, 'base64'))
  return mark === BUFFER ? bytes.buffer : bytes
}

const MARKS: readonly string[] = [BYTES, BUFFER, ADDRESS, LITERAL]

function markOf(value: object): string | null {
  const [key, ...others] = Object.keys(value)
  return key !== undefined && others.length === 0 && MARKS.includes(key) ? key : null
}

function mapped(value: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, change(held)]))
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
