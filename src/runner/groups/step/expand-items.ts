import { isPlainObject, showValue } from '../../../core/index.ts'
import type { Expand } from '../chain/chain.ts'
import { followPointer } from '../chain/json-pointer.ts'
import { type OutputValue, valueOfOutput } from './output-values.ts'
import { StepError } from './step-error.ts'

/** One item of a fan-out, with its unique key. */
export interface ExpandedItem {
  readonly key: string
  readonly item: unknown
}

const LONGEST_KEY = 200

/** The items of a fan-out. Throws `StepError` unless it is a list of distinct items within the bound. */
export function expandItems({ from, key, maxItems, onEmpty }: Expand, source: OutputValue): readonly ExpandedItem[] {
  const output = valueOfOutput(source)
  const place = `the output ${JSON.stringify(from.output)}`
  if (output === null) {
    throw new StepError(`${place} is not JSON, so there is nothing to expand. Give the step an outputSchema.`)
  }
  const list = followPointer(output.value, from.path)
  if (list.kind === 'missing') throw new StepError(`${place} has nothing at ${list.at}. ${whatIsThere(output.value)}`)
  if (!Array.isArray(list.value)) {
    throw new StepError(`${place} has ${showValue(list.value)} at ${JSON.stringify(from.path)}, which is not a list.`)
  }
  const items: readonly unknown[] = list.value
  if (items.length > maxItems) {
    throw new StepError(`${place} has ${items.length} items, and maxItems is ${maxItems}. Raise it, or ask for fewer.`)
  }
  if (items.length === 0 && onEmpty === 'fail') throw new StepError(`${place} has no items, and onEmpty is fail.`)
  return keyed(items, key)
}

function whatIsThere(value: unknown): string {
  if (!isPlainObject(value)) return `It is ${showValue(value)}.`
  const names = Object.keys(value).slice(0, 10)
  return names.length === 0 ? 'It is an empty object.' : `It has ${names.map((name) => `/${name}`).join(', ')}.`
}

function keyed(items: readonly unknown[], pointer: string | null): readonly ExpandedItem[] {
  const seen = new Map<string, number>()
  return items.map((item, index) => {
    const key = pointer === null ? String(index + 1) : keyOf(item, pointer, index)
    const first = seen.get(key)
    if (first !== undefined) {
      throw new StepError(`the items ${first + 1} and ${index + 1} have the same key ${showValue(key)}.`)
    }
    seen.set(key, index)
    return { key, item }
  })
}

function keyOf(item: unknown, pointer: string, index: number): string {
  const found = followPointer(item, pointer)
  const value = found.kind === 'found' ? found.value : undefined
  const key = ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : ''
  if (key !== '' && key.length <= LONGEST_KEY && !/\p{Cc}/u.test(key)) return key
  const form = `text of at most ${LONGEST_KEY} characters`
  throw new StepError(
    `item ${index + 1} has no key: ${JSON.stringify(pointer)} is ${showValue(value)}, and not ${form}.`,
  )
}
