import { isPlainObject, STATUSES } from '../../core/index.ts'
import { readSmallFile } from './read-small-file.ts'
import type { TaskRecord } from './task-record.ts'

const STATES: readonly unknown[] = ['pending', 'in_progress', 'completed', 'failed', 'paused']

/** The record in a file; `null` where there is none that could be one. */
export function readTaskRecord(file: string, id: string): TaskRecord | null {
  const text = readSmallFile(file)
  if (text === null) return null
  try {
    const record: unknown = JSON.parse(text)
    if (!isPlainObject(record) || record.id !== id || typeof record.subject !== 'string') return null
    const isKnown = STATES.includes(record.status) && (STATUSES as readonly unknown[]).includes(record.runStatus)
    return isKnown && typeof record.createdAtMs === 'number' ? (record as unknown as TaskRecord) : null
  } catch {
    return null
  }
}
