import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import type { PruneReport } from '../ledger/ledger-files.ts'
import { missingLedger } from '../ledger/missing-ledger.ts'
import { isLedgerKnown } from '../open-store.ts'
import { countText } from '../output/count-text.ts'
import type { Report } from '../output/report.ts'
import { durationFromText } from './duration-from-text.ts'

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
  const { address } = context.config().store
  if (address.kind === 'memory') {
    const nothing: PruneReport = { roots: 0, scopes: 0, reservations: 0, entries: 0 }
    return {
      json: { file: null, beforeMs, isDryRun, ...nothing, tasks: 0 },
      text: 'A ledger in memory is empty at the start: there is nothing to prune.',
    }
  }
  const { file } = address
  if (!isLedgerKnown(file)) throw missingLedger(file)
  const { roots, scopes, reservations, entries } = await ledgerFiles.prune(file, { beforeMs, atMs, isDryRun })
  const { pruneTasks } = await import('../run/prune-tasks.ts')
  const tasks = pruneTasks(context, beforeMs, isDryRun)
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
  if (roots === 0 && tasks === 0) return `Nothing in ${printable(file)} is so old.`
  const parts = [
    countText(scopes, 'scope'),
    countText(reservations, 'reservation'),
    countText(entries, 'journal entry', 'journal entries'),
  ]
  const folders = tasks === 0 ? '' : `, and ${countText(tasks, 'task folder')}`
  const what = `${parts.join(', ')} of ${countText(roots, 'tree')}${folders}`
  return isDryRun ? `Would prune ${what}. Nothing was changed.` : `Pruned ${what}. No total has changed.`
}
