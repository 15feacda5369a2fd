import { printable } from '../../core/checks/printable.ts'
import { InvalidOptionError } from '../../core/index.ts'
import { countText } from '../../operate/count-text.ts'
import { pruneTasks } from '../../operate/tasks/prune-tasks.ts'
import { tasksFolder } from '../../operate/tasks/task-folder.ts'
import type { CommandContext } from '../command-context.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import type { PruneReport } from '../ledger/ledger-files.ts'
import { ledgerPlace, ledgerText, presentLedger } from '../ledger/present-ledger.ts'
import { retentionOf } from '../ledger/retention.ts'
import type { Report } from '../output/report.ts'

export interface PruneOptions {
  readonly olderThan?: string
  readonly dryRun?: boolean
}

/** `stint prune`. */
export async function prune(context: CommandContext, options: PruneOptions): Promise<Report> {
  const { ledgerFiles, nowMs } = context.platform
  const isDryRun = options.dryRun === true
  const atMs = nowMs()
  const { olderThan } = options
  const bounds =
    olderThan === undefined
      ? retentionOf(context.config(), atMs)
      : { beforeMs: atMs - durationFromText('--older-than', olderThan, 'how long ago, e.g. 90d or 12h') }
  if (bounds === null) {
    throw new InvalidOptionError(
      '--older-than',
      undefined,
      'given: the config keeps everything (history: { days, maxBytes })',
    )
  }
  const ledger = presentLedger(context)
  const place = ledgerPlace(ledger)
  if (ledger === null) {
    const json = { ...place, beforeMs: bounds.beforeMs, isDryRun, ...NOTHING, tasks: 0 }
    return { json, text: 'A ledger in memory starts empty: there is nothing to prune.' }
  }
  const report = await ledgerFiles.prune(ledger, { ...bounds, atMs, isDryRun })
  const { roots, scopes, reservations, entries, events, bytesBefore, bytesAfter, beforeMs } = report
  const tasks = pruneTasks(tasksFolder(context.config()), beforeMs, isDryRun)
  const counts = { roots, scopes, reservations, events, entries, bytesBefore, bytesAfter }
  return {
    json: { ...place, beforeMs, isDryRun, ...counts, tasks },
    text: pruneText(report, tasks, ledgerText(ledger), isDryRun),
  }
}

const NOTHING = { roots: 0, scopes: 0, reservations: 0, events: 0, entries: 0, bytesBefore: 0, bytesAfter: 0 }

function pruneText(
  { roots, scopes, reservations, entries, events, beforeMs, bytesBefore, bytesAfter }: PruneReport,
  tasks: number,
  ledger: string,
  isDryRun: boolean,
): string {
  if (roots === 0 && tasks === 0) {
    return `Nothing in ${printable(ledger)} ended before ${new Date(beforeMs).toISOString()}: nothing to prune.`
  }
  const parts = [
    countText(scopes, 'scope'),
    countText(reservations, 'reservation'),
    countText(events, 'event'),
    countText(entries, 'journal entry', 'journal entries'),
  ]
  const folders = tasks === 0 ? '' : `, and ${countText(tasks, 'task folder')}`
  const what = `${parts.join(', ')} of ${countText(roots, 'tree')}${folders}`
  if (isDryRun) return `Would prune ${what}. Nothing was changed.`
  const freed = bytesBefore - bytesAfter
  const space = freed <= 0 ? '' : ` The ledger is ${megabytes(freed)} smaller.`
  return `Pruned ${what}. Totals and hourly sums are unchanged.${space}`
}

function megabytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
