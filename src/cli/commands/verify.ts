import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import type { VerifyReport } from '../ledger/ledger-files.ts'
import { missingLedger } from '../ledger/missing-ledger.ts'
import { isLedgerKnown } from '../open-store.ts'
import { countText } from '../output/count-text.ts'
import type { Report } from '../output/report.ts'

const MOST_SHOWN = 10

/** `stint verify`. */
export async function verify(context: CommandContext): Promise<Report> {
  const { address } = context.config().store
  if (address.kind === 'memory') {
    const empty: VerifyReport = { ok: true, entries: 0, scopes: 0, problems: [] }
    return {
      json: { file: null, ...empty },
      text: 'A ledger in memory is empty at the start: there is nothing to verify.',
    }
  }
  const { file } = address
  if (!isLedgerKnown(file)) throw missingLedger(file)
  const { ok, entries, scopes, problems } = await context.platform.ledgerFiles.verify(file)
  const json = { file, ok, entries, scopes, problems }
  if (ok)
    return {
      json,
      text: `Sound: ${countText(entries, 'entry', 'entries')} and ${countText(scopes, 'scope')} of ${printable(file)}.`,
    }
  return { json, text: problemText(context, file, problems), exitCode: 1 }
}

function problemText({ paint }: CommandContext, file: string, problems: VerifyReport['problems']): string {
  const lines = problems.slice(0, MOST_SHOWN).map(({ place, row, problem }) => {
    return `  ${printable(`${place}${row === null ? '' : `, row ${row}`}: ${problem}`)}`
  })
  const left = problems.length - lines.length
  const rest = left === 0 ? [] : [`  … and ${left} more`]
  const head = `${paint.red('Damaged:')} ${printable(file)} is not what was written.`
  const remedy = 'Stop what uses it, keep a copy of it as it is, and restore the newest sound copy.'
  return [head, ...lines, ...rest, remedy].join('\n')
}
