import * as z from 'zod/mini'
import { object, path, refused, text } from '../schema-forms.ts'
import { setting } from '../setting.ts'
import { shownValue } from './shown-value.ts'

/** Which runs admins may start over HTTP. */
export interface ServeRuns {
  readonly agents: readonly string[]
  /** Where they work. */
  readonly folder: string
}

const AGENTS = refused('a list of agents', 'their names, e.g. [developer, explore]')
const AGENT = refused('the name of an agent', 'e.g. developer')
const FOLDER = refused('the path of a folder', 'e.g. ~/project')

export const SERVE = setting({
  schema: object(
    {
      runs: object(
        {
          agents: z.array(text(AGENT, '^\\S+$', 128), AGENTS).check(z.minLength(1, AGENTS), z.maxLength(100, AGENTS)),
          folder: path(FOLDER),
        },
        refused,
      ),
    },
    refused,
  ),
  description:
    'For `stint serve`: `runs: { agents, folder }` lets [admins](../how-to/serve-a-dashboard.md) start these agents in this folder over HTTP. A path is relative to the file’s folder. Default: no run can be started',
  twoFiles: 'the later one',
  allows: (value) => `lets admins of stint serve start agents: ${shownValue(value)}`,
  none: null,
  read: ({ runs: { agents, folder } }, { pathOf }): { readonly runs: ServeRuns } | null => {
    return { runs: { agents, folder: pathOf(folder) } }
  },
})
