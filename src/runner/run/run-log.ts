import { isStintError } from '../../core/index.ts'
import { writeFirst, writeWhole } from '../../system/write-whole.ts'
import { makeTaskFolder, refuseLink } from '../tasks/make-task-folder.ts'
import type { TaskFiles } from '../tasks/task-files.ts'
import type { TaskRecord } from '../tasks/task-record.ts'
import type { TaskStore } from '../tasks/task-store.ts'
import { createTranscript, type Transcript } from '../tasks/transcript.ts'
import { errorText } from './record/recorded-tools.ts'
import type { RunProgress } from './run-progress.ts'

/** The record of a run on disk, and its progress reports. Never fails: losses are warnings, and the run continues. */
export interface RunLog {
  readonly files: TaskFiles
  readonly warnings: readonly string[]
  /** Reports progress to `onProgress`. */
  report(progress: RunProgress): void
  /** Reports something that the user should know, once. */
  warn(message: string): void
  /** `marks`: what a resumed run needs to know about it. */
  record(message: unknown, marks?: Readonly<Record<string, string>>): Promise<void>
  note(note: string, fields?: Readonly<Record<string, unknown>>): Promise<void>
  /** Claims the task for this run. `false`: another run has it. */
  claim(request: string): boolean
  write(file: 'input' | 'output' | 'meta', text: string): boolean
  updateTask(change: Partial<Omit<TaskRecord, 'id' | 'createdAtMs'>>): void
  close(): Promise<void>
}

const MOST_WARNINGS = 100

export function createRunLog(
  files: TaskFiles,
  tasks: TaskStore,
  id: string,
  onProgress: ((progress: RunProgress) => void) | undefined,
): RunLog {
  const warnings: string[] = []

  function report(progress: RunProgress): void {
    try {
      onProgress?.(progress)
    } catch {
      // A failing listener must not affect the run.
    }
  }

  function warn(message: string): void {
    if (warnings.includes(message) || warnings.length >= MOST_WARNINGS) return
    warnings.push(message)
    report({ kind: 'warning', message })
  }

  /** Whether something was written. Without the folder, nothing is, and there has been a warning. */
  function attempt(what: string, act: () => void): boolean {
    if (!isThere) return false
    try {
      // An agent with a shell may have replaced it by a link.
      refuseLink(files.folder)
      act()
      return true
    } catch (error) {
      warn(`${what} could not be written (${errorText(error)}). The run continues without it.`)
      return false
    }
  }

  const isThere = makeFolder(files.folder, warn)
  const transcript: Transcript = createTranscript(files.transcript, (error) => {
    warn(
      `The transcript could not be written (${errorText(error)}). The run continues, but its conversation is not saved.`,
    )
  })
  const append: Transcript['append'] = async (line) => (isThere ? transcript.append(line) : undefined)

  return {
    files,
    warnings,
    report,
    warn,
    record: (message, marks = {}) => append({ ...marks, type: 'message', message }),
    note: (note, fields = {}) => append({ ...fields, type: 'note', note }),
    claim(request) {
      let isFirst = true
      attempt('The request of the task', () => {
        isFirst = writeFirst(files.request, request)
      })
      return isFirst
    },
    write: (file, text) => attempt(`The ${file} of the task`, () => writeWhole(files[file], text)),
    updateTask(change) {
      attempt('The record of the task', () => {
        tasks.update(id, change)
      })
    },
    close: () => transcript.close(),
  }
}

/** On a full or read-only disk, nothing of the run is saved. A folder that is a link is refused. */
function makeFolder(folder: string, warn: (message: string) => void): boolean {
  try {
    makeTaskFolder(folder)
    return true
  } catch (error) {
    if (isStintError(error)) throw error
    warn(`The task cannot be saved (${errorText(error)}). The run continues, but it cannot be resumed.`)
    return false
  }
}
