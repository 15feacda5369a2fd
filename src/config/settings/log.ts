import * as z from 'zod/mini'
import { object, path, refused } from '../schema-forms.ts'
import { setting } from '../setting.ts'
import { shownValue } from './shown-value.ts'

/** Where events are logged. */
export interface LogSettings {
  readonly file: string
  readonly maxBytes: number | null
  readonly keep: number | null
}

const FILE = path(refused('the path of a file', 'e.g. logs/execution-limits.log'))

function count(most: number) {
  const error = refused('in range', `a whole number from 1 to ${most}`)
  return z.optional(z.int(error).check(z.minimum(1, error), z.maximum(most, error)))
}

export const LOG = setting({
  schema: z.union(
    [z.literal(false), FILE, object({ file: FILE, maxBytes: count(1024 ** 4), keep: count(1000) }, refused)],
    refused('a log', 'false, a path, or { file, maxBytes, keep }'),
  ),
  description:
    'Where events are logged: a path, `{ file, maxBytes, keep }`, or `false`. An existing file is written only if it is empty or a log of Stint. A path is relative to the file’s folder. Default: `logs/execution-limits.log` in `STINT_HOME`',
  twoFiles: 'the later one',
  allows: (value) => (value === false ? 'switches the log off' : `writes the log to ${shownValue(value)}`),
  none: null,
  /** `false`: events are not logged. */
  read(written, { pathOf }): LogSettings | false | null {
    if (written === false) return false
    const { file, maxBytes = null, keep = null } = typeof written === 'string' ? { file: written } : written
    return { file: pathOf(file), maxBytes, keep }
  },
})
