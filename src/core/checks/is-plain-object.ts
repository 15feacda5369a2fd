/**
 * Whether `value` is an object like those from a literal or a JSON or YAML parser. Objects with inherited fields don't
 * qualify: only own fields are read, and a limit among the inherited ones would be lost.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: object | null = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || isObjectPrototypeOfAnotherRealm(prototype)
}

// Such a prototype has the methods of every object and no other fields.
function isObjectPrototypeOfAnotherRealm(prototype: object): boolean {
  const isRoot = Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')
  return isRoot && Object.keys(prototype).length === 0
}
