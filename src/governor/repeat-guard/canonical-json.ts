/**
 * The same text for the same value, whatever the order of its keys; `null` for what is not JSON (a cycle, a bigint).
 * Arguments given as JSON text are parsed first.
 */
export function canonicalJson(value: unknown): string | null {
  try {
    return JSON.stringify(parsed(value), sortKeys) ?? 'undefined'
  } catch {
    return null
  }
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries)
}
