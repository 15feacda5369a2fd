import { isPlainObject } from '../../../core/index.ts'
import type { CacheMark } from '../../../pricing/index.ts'
import type { CallOptions } from './language-model.ts'

const MARKS = ['cacheControl', 'cache_control', 'cachePoint']

/** The longest cache lifetime that a request asks for, from the marks on its messages, parts and tools. */
export function cacheMarkOf({ prompt, tools, providerOptions }: CallOptions): CacheMark {
  const holders: object[] = [{ providerOptions }, ...(tools ?? []), ...prompt]
  for (const { content } of prompt) {
    if (typeof content === 'string') continue
    for (const part of content as readonly Marked[]) {
      holders.push(part)
      const { output } = part
      if (!isPlainObject(output)) continue
      holders.push(output)
      if (Array.isArray(output.value)) holders.push(...output.value.filter(isPlainObject))
    }
  }
  let mark: CacheMark = 'none'
  for (const holder of holders) {
    const { providerOptions: marks } = holder as Marked
    const found = isPlainObject(marks) ? markIn(marks) : 'none'
    if (found === '1h') return found
    if (found === '5m') mark = found
  }
  return mark
}

/** What can have a mark: a message, a part of it, or a tool output. */
interface Marked {
  readonly providerOptions?: unknown
  readonly output?: unknown
}

function markIn(providerOptions: Readonly<Record<string, unknown>>): CacheMark {
  const marks = Object.values(providerOptions)
    .filter(isPlainObject)
    .flatMap((options) => MARKS.map((name) => options[name]).filter(isPlainObject))
  if (marks.length === 0) return 'none'
  return marks.some(({ ttl }) => ttl === '1h') ? '1h' : '5m'
}
