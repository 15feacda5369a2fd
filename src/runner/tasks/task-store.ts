import type { TaskRecord } from './task-record.ts'

/** The settings of a new task. */
export interface TaskDraft {
  /** Default: generated. */
  readonly id?: string
  readonly subject: string
  readonly description?: string | null
}

/** The task records of one folder, next to the ledger. */
export interface TaskStore {
  /** Newest first. Invalid records are skipped. */
  list(): readonly TaskRecord[]
  /** `null` if there is none. Throws `InvalidOptionError` for an invalid id. */
  get(id: string): TaskRecord | null
  /** Throws `InvalidOptionError` for an id that is taken. */
  create(draft: TaskDraft): TaskRecord
  /** Changes the given fields, atomically. Throws `UnknownTaskError`. */
  update(id: string, change: Partial<Omit<TaskRecord, 'id' | 'createdAtMs'>>): TaskRecord
  /** The folder of its files. */
  folderOf(id: string): string
}
