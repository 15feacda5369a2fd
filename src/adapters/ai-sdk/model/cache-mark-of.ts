import { isPlainObject } from '../../../core/index.ts'
import type { CacheMark } from '../../../pricing/index.ts'
import type { CallOptions } from './language-model.ts'

const MARKS = ['cacheControl', 'cache_control', 'cachePoint']

/** The longest cache lifetime that a request asks for, by the marks in the options of its messages, parts and tools. */
export function cacheMarkOf({ prompt, tools, providerOptions }: CallOptions): CacheMark {
  const holders = [
    { providerOptions },
    ...(tools ?? []),
    ...prompt.flatMap((message) => [
      message,
      ...(typeof message.content === 'string' ? [] : message.content.flatMap(markedIn)),
    ]),
  ]
  let mark: CacheMark = 'none'
  for (const holder of holders) {
    const found = markIn((holder as { readonly providerOptions?: unknown }).providerOptions)
    if (found === '1h') return found
    if (found === '5m') mark = found
  }
  return mark
}

/** A part, and what may have a mark in it: the output of a tool, and the parts of that. */
function markedIn(part: object): readonly object[] {
  const { output } = part as { readonly output?: { readonly value?: unknown } }
  if (!isPlainObject(output)) return [part]
  return [part, output, ...(Array.isArray(output.value) ? output.value.filter(isPlainObject) : [])]
}

function markIn(providerOptions: unknown): CacheMark {
  if (!isPlainObject(providerOptions)) return 'none'
  const marks = Object.values(providerOptions)
    .filter(isPlainObject)
    .flatMap((options) => MARKS.map((name) => options[name]).filter(isPlainObject))
  if (marks.length === 0) return 'none'
  return marks.some(({ ttl }) => ttl === '1h') ? '1h' : '5m'
}
