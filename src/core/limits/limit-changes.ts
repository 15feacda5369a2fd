import { type Limit, limitKey } from './limit.ts'

/** One limit that was raised, lowered, added (`before: null`) or removed (`after: null`). */
export interface LimitChange {
  readonly limit: Limit
  readonly before: number | null
  readonly after: number | null
}

/** What changed from one list of limits to the other, apart from where they were written. */
export function limitChanges(before: readonly Limit[], after: readonly Limit[]): readonly LimitChange[] {
  const changes: LimitChange[] = []
  for (const limit of after) {
    const old = before.find((each) => isOfSameKind(each, limit))
    if (old !== undefined && isSameButSource(old, limit)) continue
    changes.push({ limit, before: old?.max ?? null, after: limit.max })
  }
  for (const limit of before) {
    if (!after.some((each) => isOfSameKind(each, limit))) changes.push({ limit, before: limit.max, after: null })
  }
  return changes
}

const PLAIN_FIELDS = ['meter', 'max', 'per', 'timeZone', 'action'] as const satisfies readonly (keyof Limit)[]

function isOfSameKind(left: Limit, right: Limit): boolean {
  return limitKey(left) === limitKey(right)
}

/** Whether two limits differ in nothing but where they were written. */
export function isSameButSource(left: Limit, right: Limit): boolean {
  return PLAIN_FIELDS.every((field) => left[field] === right[field]) && left.nearing.join() === right.nearing.join()
}
