import { join } from 'node:path'
import { InvalidOptionError } from '../../core/index.ts'
import { type TaskFiles, taskFiles } from '../tasks/task-files.ts'

/** The files of one group. */
export interface GroupFiles extends TaskFiles {
  /** The folder that its agents share: `{chain_dir}`. */
  readonly shared: string
  /** A step with everything filled in. */
  stepPlan(step: number): string
}

// The ids of its agents begin with it.
const LONGEST_ID = 64

/** The files of a group. Throws for an invalid id. */
export function groupFiles(taskFolder: string, id: string): GroupFiles {
  const files = taskFiles(taskFolder, id)
  if (id.length > LONGEST_ID) throw new InvalidOptionError('The id', id, `one of at most ${LONGEST_ID} characters`)
  return {
    ...files,
    shared: join(files.folder, 'shared'),
    stepPlan: (step) => join(files.folder, `step-${step + 1}.json`),
  }
}
