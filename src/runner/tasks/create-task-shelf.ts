import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { assertKnownOptions, InvalidOptionError, isStintError, optionNames } from '../../core/index.ts'
import { makeTaskFolder, refuseLink } from './make-task-folder.ts'
import { readTaskRecord } from './read-task-record.ts'
import { taskFiles } from './task-files.ts'
import type { TaskRecord } from './task-record.ts'
import type { TaskDraft, TaskShelf } from './task-shelf.ts'
import { UnknownTaskError } from './unknown-task-error.ts'
import { writeWhole } from './write-whole.ts'

const DRAFT = optionNames<TaskDraft>({ id: true, subject: true, description: true })

/** The tasks in a folder, which need not be there yet. */
export function createTaskShelf(taskFolder: string): TaskShelf {
  const read = (id: string): TaskRecord | null => {
    const { folder, task } = taskFiles(taskFolder, id)
    refuseLink(folder)
    return readTaskRecord(task, id)
  }

  function write(record: TaskRecord): TaskRecord {
    const { folder, task } = taskFiles(taskFolder, record.id)
    makeTaskFolder(folder)
    writeWhole(task, `${JSON.stringify(record, null, 2)}\n`)
    return record
  }

  return {
    list() {
      const records = namesIn(taskFolder).flatMap((id) => readOr(read, id) ?? [])
      return records.sort((left, right) => right.createdAtMs - left.createdAtMs)
    },
    get: read,
    create(draft) {
      assertKnownOptions('tasks.create', draft, DRAFT)
      const { id = randomUUID(), subject, description = null } = draft
      if (read(id) !== null) throw new InvalidOptionError('The id', id, 'one that no other task has')
      return write({ ...EMPTY, id, subject, description, createdAtMs: Date.now() })
    },
    update(id, change) {
      const record = read(id)
      if (record === null) throw new UnknownTaskError(id)
      return write({ ...record, ...change, id })
    },
    folderOf: (id) => taskFiles(taskFolder, id).folder,
  }
}

const EMPTY = {
  agent: null,
  task: null,
  status: 'pending',
  runStatus: 'queued',
  reason: null,
  error: null,
  resume_url: null,
  state: null,
  warnings: [],
  model: null,
  workingFolder: null,
  pid: null,
  startedAtMs: null,
  endedAtMs: null,
} as const

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whatever else lies in the folder is no task. */
function readOr(read: (id: string) => TaskRecord | null, id: string): TaskRecord | null {
  try {
    return read(id)
  } catch (error) {
    if (isStintError(error, 'invalid_option')) return null
    throw error
  }
}
