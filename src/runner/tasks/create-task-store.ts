import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { isOneOf } from '../../core/checks/is-one-of.ts'
import {
  assertKnownOptions,
  InvalidOptionError,
  isPlainObject,
  isStintError,
  optionNames,
  STATUSES,
} from '../../core/index.ts'
import { writeWhole } from '../../system/write-whole.ts'
import { makeTaskFolder, refuseLink } from './make-task-folder.ts'
import { readSmallFile } from './read-small-file.ts'
import { taskFiles } from './task-files.ts'
import type { TaskRecord } from './task-record.ts'
import type { TaskDraft, TaskStore } from './task-store.ts'
import { UnknownTaskError } from './unknown-task-error.ts'

const DRAFT = optionNames<TaskDraft>({ id: true, subject: true, description: true })

/** The tasks in a folder, which need not exist yet. */
export function createTaskStore(taskFolder: string): TaskStore {
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
      if (read(id) !== null) throw new InvalidOptionError('The id', id, 'an id that no other task has')
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

/** Ignores other files in the folder. */
function readOr(read: (id: string) => TaskRecord | null, id: string): TaskRecord | null {
  try {
    return read(id)
  } catch (error) {
    if (isStintError(error, 'invalid_option')) return null
    throw error
  }
}

const STATES: readonly unknown[] = ['pending', 'in_progress', 'completed', 'failed', 'paused']

/** Reads a task record; `null` if it is missing or invalid. */
function readTaskRecord(file: string, id: string): TaskRecord | null {
  const text = readSmallFile(file)
  if (text === null) return null
  try {
    const record: unknown = JSON.parse(text)
    if (!isPlainObject(record) || record.id !== id || typeof record.subject !== 'string') return null
    const isKnown = STATES.includes(record.status) && isOneOf(record.runStatus, STATUSES)
    return isKnown && typeof record.createdAtMs === 'number' ? (record as unknown as TaskRecord) : null
  } catch {
    return null
  }
}
