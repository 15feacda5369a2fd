import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isPlainObject } from '../../core/index.ts'
import { writeWhole } from '../../system/write-whole.ts'
import { readSmallFile } from '../tasks/read-small-file.ts'
import { assertTaskId } from '../tasks/task-files.ts'

/** A git worktree that an agent works in, as recorded next to it. */
export interface Worktree {
  /** The id of the agent's task. */
  readonly id: string
  /** The repository that it was created from. */
  readonly repository: string
  /** Where git keeps the data of this worktree. */
  readonly gitFolder: string
  readonly path: string
  /** The folder below `path` that the agent works in. */
  readonly workingFolder: string
  /** The commit that it was created from. */
  readonly base: string
  readonly createdAtMs: number
}

/** The record of a worktree, next to its folder. */
function recordFile(folder: string, id: string): string {
  assertTaskId(id)
  return join(folder, `${id}.json`)
}

export function recordWorktree(folder: string, worktree: Worktree): void {
  writeWhole(recordFile(folder, worktree.id), `${JSON.stringify(worktree, null, 2)}\n`)
}

export function forgetWorktree(folder: string, id: string): void {
  rmSync(recordFile(folder, id), { force: true })
}

/** The worktree of a task; `null` if it has none. */
export function findWorktree(folder: string, id: string): Worktree | null {
  const text = readSmallFile(recordFile(folder, id))
  if (text === null) return null
  try {
    return worktreeFrom(JSON.parse(text), id)
  } catch {
    return null
  }
}

function worktreeFrom(record: unknown, id: string): Worktree | null {
  if (!isPlainObject(record) || record.id !== id || typeof record.createdAtMs !== 'number') return null
  const { repository, gitFolder, path, workingFolder, base, createdAtMs } = record
  if (!isText(repository) || !isText(gitFolder) || !isText(path) || !isText(workingFolder) || !isText(base)) return null
  return { id, repository, gitFolder, path, workingFolder, base, createdAtMs }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Every existing worktree: of running agents, and of those that ended without completing. */
export function listWorktrees(folder: string): readonly Worktree[] {
  return namesIn(folder).flatMap((name) => {
    const id = /^(.+)\.json$/.exec(name)?.[1]
    return id === undefined ? [] : (findWorktree(folder, id) ?? [])
  })
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}
