// Events are flat records with at most one list of records inside.
const DEEPEST = 8

/** A deeply frozen copy of plain data. */
export function frozenCopy<Value>(value: Value, depth = 0): Value {
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) throw new TypeError('An event is nested too deeply.')
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item, depth + 1))) as Value
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) if (key !== '__proto__') copy[key] = frozenCopy(item, depth + 1)
  return Object.freeze(copy) as Value
}
