/**
 * Whether `value` is an object as a file or a literal gives it, of any realm. A `Map`, a class instance or an object
 * that inherits fields is none: their keys would be silently lost.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: object | null = Object.getPrototypeOf(value)
  if (prototype === null) return true
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty')
}
