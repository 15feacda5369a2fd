import * as z from 'zod/mini'
import { object, refused } from '../schema-forms.ts'
import { setting } from '../setting.ts'

/** What the ledger stores about runs, and for how long. */
export interface HistorySettings {
  /** Whether it stores command lines and tasks. */
  readonly commands: boolean
  /** How long it keeps what has ended; `false`: for good. */
  readonly days: number | false
  /** How large it may become before what is oldest goes earlier; `false`: as large as it gets. */
  readonly maxBytes: number | false
}

/** What holds where nothing is written. */
export const DEFAULT_HISTORY: HistorySettings = { commands: true, days: 90, maxBytes: 2 * 1024 ** 3 }

function numberOrFalse(least: number, most: number) {
  const error = refused('in range', `a whole number from ${least} to ${most}, or false`)
  return z.optional(
    z.union([z.literal(false), z.int(error).check(z.minimum(least, error), z.maximum(most, error))], error),
  )
}

export const HISTORY = setting({
  schema: object(
    {
      commands: z.optional(z.boolean(refused('a setting of the history', 'true or false'))),
      days: numberOrFalse(1, 36_500),
      maxBytes: numberOrFalse(1024 ** 2, 1024 ** 5),
    },
    refused,
  ),
  description:
    'What the ledger stores about runs that have ended. `commands: false`: no command lines and no tasks; by default it stores them, with keys removed. `days` (90): how long it keeps runs, calls and events, and `maxBytes` (2147483648) how large it may become before the oldest go earlier; `false`: no bound. Hourly sums and totals are kept for good',
  twoFiles: 'the later one',
  allows: () => 'sets what the ledger stores of commands and tasks, and when it deletes what has ended',
  none: null,
  read({ commands, days, maxBytes }): HistorySettings | null {
    return {
      commands: commands ?? DEFAULT_HISTORY.commands,
      days: days ?? DEFAULT_HISTORY.days,
      maxBytes: maxBytes ?? DEFAULT_HISTORY.maxBytes,
    }
  },
})
