import * as z from 'zod/mini'
import { path, refused, text } from '../schema-forms.ts'
import { setting } from '../setting.ts'
import { shownValue } from './shown-value.ts'

/** A command: a text for the shell, or a program with its arguments. */
type AskCommand = string | readonly string[]

const ERROR = refused(
  'a command',
  'a program with its arguments, e.g. ["notify-send", "stint"], or a text for the shell',
)

export const ON_ASK = setting({
  schema: z.union(
    [
      text(ERROR, '^(?=[^\\u0000]*\\S)[^\\u0000]*$', 4096),
      z.array(path(ERROR), ERROR).check(z.minLength(1, ERROR), z.maxLength(64, ERROR)),
    ],
    ERROR,
  ),
  description:
    'A command to run when a run of `stint exec` or `stint run` asks for more, as a program with its arguments or a text for the shell: see [below](#onask)',
  twoFiles: 'the later one',
  allows: (value) => `runs ${shownValue(value)} when a run asks for more`,
  none: null,
  read: (written): AskCommand | null => written,
})
