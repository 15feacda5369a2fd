import * as z from 'zod/mini'

/** A list that cannot be changed, as the views have it. */
export function list<Item extends z.ZodMiniType>(item: Item) {
  return z.readonly(z.array(item))
}

/** A whole number of something, from 0. */
export const count = z.int().check(z.minimum(0))

/** Epoch milliseconds. */
export const time = z.int()

/** A record whose values are of one kind. */
export function recordOf<Value extends z.ZodMiniType>(value: Value) {
  return z.readonly(z.record(z.string(), value))
}
