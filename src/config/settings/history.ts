import * as z from 'zod/mini'
import { object, refused } from '../schema-forms.ts'
import { setting } from '../setting.ts'

/** What the ledger keeps of what runs were for. */
export interface HistorySettings {
  /** Whether it keeps command lines and tasks. */
  readonly commands: boolean
}

export const HISTORY = setting({
  schema: object({ commands: z.optional(z.boolean(refused('a setting of the history', 'true or false'))) }, refused),
  description:
    'What the ledger keeps of what runs were for. `{ commands: false }`: no command lines and no tasks. By default it keeps them, with keys removed',
  twoFiles: 'the later one',
  allows: () => 'says whether the ledger keeps command lines and tasks',
  none: null,
  read: ({ commands = true }): HistorySettings | null => ({ commands }),
})
