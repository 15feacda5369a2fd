import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../core/checks/thrown.ts'
import type { RunnerContext } from '../run/runner.ts'
import { taskFiles } from '../tasks/task-files.ts'
import {
  addWorktree,
  findWorktree,
  PATCH_FILE,
  removeWorktree,
  SUMMARY_FILE,
  storeChanges,
} from '../worktrees/index.ts'
import type { ChildResult } from './group-result.ts'
import type { GroupRun } from './group-run.ts'
import type { PlannedChild } from './step/step-plan.ts'

/** The folder for the worktrees of a runner's agents. */
export function worktreeFolderOf({ taskFolder, worktreeFolder }: RunnerContext): string {
  return worktreeFolder ?? `${taskFolder}-worktrees`
}

/** The working folder of an agent: its own worktree, or the group's folder. */
export async function workingFolderFor({ context, saved }: GroupRun, child: PlannedChild): Promise<string> {
  if (!child.worktree || saved.repository === null) return saved.workingFolder
  return (await addWorktree(worktreeFolderOf(context), child.id, saved.repository)).workingFolder
}

/**
 * Stores the changes in an agent's worktree, and removes the worktree if its work is completed. Otherwise it stays, to
 * resume the agent or to inspect. Never throws: changes that could not be stored are still in the worktree, and the
 * result says so.
 */
export async function keepChanges(
  { context }: GroupRun,
  child: PlannedChild,
  result: ChildResult,
): Promise<ChildResult> {
  if (!child.worktree) return result
  const folder = worktreeFolderOf(context)
  const { artifacts } = taskFiles(context.taskFolder, child.id)
  const worktree = findWorktree(folder, child.id)
  try {
    if (worktree !== null) {
      await storeChanges(worktree, artifacts)
      if (result.status === 'completed') await removeWorktree(folder, worktree)
    }
  } catch (error) {
    const warning = `Its changes could not be stored and are in ${worktree?.path}: ${messageOf(error)}`
    return { ...result, warnings: [...result.warnings, warning] }
  }
  const patch = join(artifacts, PATCH_FILE)
  return existsSync(patch) ? { ...result, changes: { patch, summary: join(artifacts, SUMMARY_FILE) } } : result
}
