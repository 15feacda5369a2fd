import { InvalidOptionError } from '../../core/index.ts'

const LONGEST_ID = 128
const FORM = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** Whether `id` can be the name of one folder, and of nothing else: no way out of it, no look-alikes. */
export function isTaskId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= LONGEST_ID && FORM.test(id) && !id.includes('..')
}

/** Throws unless it can. */
export function assertTaskId(id: unknown): asserts id is string {
  if (isTaskId(id)) return
  const form = `a task's id: 1 to ${LONGEST_ID} letters, digits, "-", "_" and single dots, beginning with a letter or digit`
  throw new InvalidOptionError('The id', id, form)
}
