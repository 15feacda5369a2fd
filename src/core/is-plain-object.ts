/**
 * Whether `value` is an object as a literal or a parser of JSON or YAML makes it. One with inherited fields is not:
 * only its own would be read, and a limit among the others would be lost.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: object | null = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || isObjectPrototypeOfAnotherRealm(prototype)
}

// Such a one has the methods of every object, and no field that somebody put there.
function isObjectPrototypeOfAnotherRealm(prototype: object): boolean {
  const isRoot = Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')
  return isRoot && Object.keys(prototype).length === 0
}
