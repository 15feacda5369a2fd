import type { TaskRecord } from './task-record.ts'

/** What a task is made with. */
export interface TaskDraft {
  /** Default: made up. */
  readonly id?: string
  readonly subject: string
  readonly description?: string | null
}

/** The tasks of one folder: what is kept of runs beside the ledger. */
export interface TaskShelf {
  /** The newest first. What cannot be read is left out. */
  list(): readonly TaskRecord[]
  /** `null` if there is none. Throws `InvalidOptionError` for what can be no id. */
  get(id: string): TaskRecord | null
  /** Throws `InvalidOptionError` for an id that is taken. */
  create(draft: TaskDraft): TaskRecord
  /** Changes what is named, at once and whole. Throws `UnknownTaskError` if there is none. */
  update(id: string, change: Partial<Omit<TaskRecord, 'id' | 'createdAtMs'>>): TaskRecord
  /** Where its files are. */
  folderOf(id: string): string
}
