import { isStintError } from '../../core/index.ts'
import { makeTaskFolder, refuseLink } from '../tasks/make-task-folder.ts'
import type { TaskFiles } from '../tasks/task-files.ts'
import type { TaskRecord } from '../tasks/task-record.ts'
import type { TaskShelf } from '../tasks/task-shelf.ts'
import { createTranscript, type Transcript } from '../tasks/transcript.ts'
import { writeFirst, writeWhole } from '../tasks/write-whole.ts'
import { errorText } from './recorded-tools.ts'
import type { RunProgress } from './run-progress.ts'

/** Where a run is written down. Nothing of it can fail: what is lost is said, and the run and its limits go on. */
export interface RunDesk {
  readonly files: TaskFiles
  readonly warnings: readonly string[]
  /** Tells whoever follows the run. */
  tell(progress: RunProgress): void
  /** Something that a person should know; told once. */
  warn(message: string): void
  record(message: unknown): Promise<void>
  note(note: string, fields?: Readonly<Record<string, unknown>>): Promise<void>
  /** Makes the task this run's. `false`: another run has it. */
  claim(request: string): boolean
  write(file: 'input' | 'output' | 'meta', text: string): boolean
  updateTask(change: Partial<Omit<TaskRecord, 'id' | 'createdAtMs'>>): void
  close(): Promise<void>
}

const MOST_WARNINGS = 100

export function createRunDesk(
  files: TaskFiles,
  shelf: TaskShelf,
  id: string,
  onProgress: ((progress: RunProgress) => void) | undefined,
): RunDesk {
  const warnings: string[] = []

  function tell(progress: RunProgress): void {
    try {
      onProgress?.(progress)
    } catch {
      // Whoever listens is no part of the run.
    }
  }

  function warn(message: string): void {
    if (warnings.includes(message) || warnings.length >= MOST_WARNINGS) return
    warnings.push(message)
    tell({ kind: 'warning', message })
  }

  /** Whether something was written. Where the folder itself is not there, that was said, and is all there is to say. */
  function attempt(what: string, act: () => void): boolean {
    if (!isThere) return false
    try {
      // An agent with a shell may have put a link in its place meanwhile.
      refuseLink(files.folder)
      act()
      return true
    } catch (error) {
      warn(`${what} could not be written (${errorText(error)}). The run goes on without it.`)
      return false
    }
  }

  const isThere = makeFolder(files.folder, warn)
  const transcript: Transcript = createTranscript(files.transcript, (error) => {
    warn(`The transcript could not be written (${errorText(error)}). The run goes on, and what is said is not kept.`)
  })
  const append: Transcript['append'] = async (line) => (isThere ? transcript.append(line) : undefined)

  return {
    files,
    warnings,
    tell,
    warn,
    record: (message) => append({ type: 'message', message }),
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
        shelf.update(id, change)
      })
    },
    close: () => transcript.close(),
  }
}

/** A disk that is full or read-only keeps nothing of the run. A folder that leads elsewhere is refused. */
function makeFolder(folder: string, warn: (message: string) => void): boolean {
  try {
    makeTaskFolder(folder)
    return true
  } catch (error) {
    if (isStintError(error)) throw error
    warn(`Nothing of the task can be kept (${errorText(error)}). The run goes on, but it cannot be resumed.`)
    return false
  }
}
