import { printable } from '../../core/checks/printable.ts'
import { countText } from '../../operate/count-text.ts'
import type { CommandContext } from '../command-context.ts'
import type { VerifyReport } from '../ledger/ledger-files.ts'
import { ledgerPlace, ledgerText, presentLedger } from '../ledger/present-ledger.ts'
import type { Report } from '../output/report.ts'

const MOST_SHOWN = 10

/** `stint verify`. */
export async function verify(context: CommandContext): Promise<Report> {
  const ledger = presentLedger(context)
  const place = ledgerPlace(ledger)
  if (ledger === null) {
    const json = { ...place, ok: true, entries: 0, scopes: 0, problems: [] }
    return { json, text: 'A ledger in memory starts empty: there is nothing to verify.' }
  }
  const { ok, entries, scopes, problems } = await context.platform.ledgerFiles.verify(ledger)
  const json = { ...place, ok, entries, scopes, problems }
  if (ok)
    return {
      json,
      text: `Sound: ${countText(entries, 'entry', 'entries')} and ${countText(scopes, 'scope')} of ${printable(ledgerText(ledger))}.`,
    }
  return { json, text: problemText(context, ledgerText(ledger), problems), exitCode: 1 }
}

function problemText({ paint }: CommandContext, ledger: string, problems: VerifyReport['problems']): string {
  const lines = problems.slice(0, MOST_SHOWN).map(({ place, row, problem }) => {
    return `  ${printable(`${place}${row === null ? '' : `, row ${row}`}: ${problem}`)}`
  })
  const left = problems.length - lines.length
  const rest = left === 0 ? [] : [`  … and ${left} more`]
  const head = `${paint.red('Damaged:')} ${printable(ledger)} does not match its journal.`
  const remedy = 'Stop everything that uses it, keep a copy of it, and restore the newest backup that verifies.'
  return [head, ...lines, ...rest, remedy].join('\n')
}
