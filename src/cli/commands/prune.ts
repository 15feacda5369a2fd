import { printable } from '../../core/checks/printable.ts'
import { countText } from '../../operate/count-text.ts'
import { pruneTasks } from '../../operate/tasks/prune-tasks.ts'
import { tasksFolder } from '../../operate/tasks/task-folder.ts'
import type { CommandContext } from '../command-context.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import type { PruneReport } from '../ledger/ledger-files.ts'
import { presentLedger } from '../ledger/present-ledger.ts'
import type { Report } from '../output/report.ts'

export interface PruneOptions {
  readonly olderThan: string
  readonly dryRun?: boolean
}

/** `stint prune`. */
export async function prune(context: CommandContext, options: PruneOptions): Promise<Report> {
  const { ledgerFiles, nowMs } = context.platform
  const isDryRun = options.dryRun === true
  const atMs = nowMs()
  const beforeMs = atMs - durationFromText('--older-than', options.olderThan, 'how long ago, e.g. 90d or 12h')
  const file = presentLedger(context)
  if (file === null) {
    const json = { file, beforeMs, isDryRun, roots: 0, scopes: 0, reservations: 0, entries: 0, tasks: 0 }
    return { json, text: 'A ledger in memory starts empty: there is nothing to prune.' }
  }
  const { roots, scopes, reservations, entries } = await ledgerFiles.prune(file, { beforeMs, atMs, isDryRun })
  const tasks = pruneTasks(tasksFolder(context.config()), beforeMs, isDryRun)
  return {
    json: { file, beforeMs, isDryRun, roots, scopes, reservations, entries, tasks },
    text: pruneText({ roots, scopes, reservations, entries }, tasks, file, isDryRun),
  }
}

function pruneText(
  { roots, scopes, reservations, entries }: PruneReport,
  tasks: number,
  file: string,
  isDryRun: boolean,
): string {
  if (roots === 0 && tasks === 0) return `Nothing in ${printable(file)} is that old.`
  const parts = [
    countText(scopes, 'scope'),
    countText(reservations, 'reservation'),
    countText(entries, 'journal entry', 'journal entries'),
  ]
  const folders = tasks === 0 ? '' : `, and ${countText(tasks, 'task folder')}`
  const what = `${parts.join(', ')} of ${countText(roots, 'tree')}${folders}`
  return isDryRun ? `Would prune ${what}. Nothing was changed.` : `Pruned ${what}. Totals are unchanged.`
}
