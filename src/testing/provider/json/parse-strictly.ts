import { type JsonObject, objectOf } from './json-value.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a body. Throws a `SyntaxError` unless it is a JSON object in UTF-8 without duplicate keys. */
export function parseStrictly(body: Buffer): JsonObject {
  let text: string
  try {
    text = decoder.decode(body)
  } catch {
    throw new SyntaxError('the body is not UTF-8')
  }
  const value = objectOf(JSON.parse(text))
  if (value === null) throw new SyntaxError('the body is not an object')
  const key = repeatedKey(text)
  if (key !== null) throw new SyntaxError(`the key ${key} is written twice in one object`)
  return value
}

/** The first duplicate key in valid JSON, as it is written. */
function repeatedKey(json: string): string | null {
  // One set per open object; `null` for a list.
  const open: (Set<string> | null)[] = []
  let isKeyNext = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '"') {
      const end = endOfString(json, at)
      if (isKeyNext) {
        const written = json.slice(at, end + 1)
        const key: string = JSON.parse(written)
        if (open.at(-1)!.has(key)) return written
        open.at(-1)!.add(key)
        isKeyNext = false
      }
      at = end
    } else if (character === '{') {
      open.push(new Set())
      isKeyNext = true
    } else if (character === '[') {
      open.push(null)
      isKeyNext = false
    } else if (character === '}' || character === ']') {
      open.pop()
      isKeyNext = false
    } else if (character === ',') isKeyNext = open.at(-1) !== null
  }
  return null
}

// A quote ends the string unless an odd number of backslashes precedes it.
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end
}

function isEscaped(json: string, at: number): boolean {
  let first = at
  while (json[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}
