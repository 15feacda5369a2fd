import { pathFrom } from '../../config/path-from.ts'
import { parseStoreAddress, type StoreAddress, storeText } from '../../config/store-address.ts'
import { printable } from '../../core/checks/printable.ts'
import { InvalidOptionError, StintError } from '../../core/index.ts'
import { countText } from '../../operate/count-text.ts'
import type { CommandContext } from '../command-context.ts'
import { isLedgerKnown, openStore } from '../open-store.ts'
import type { Report } from '../output/report.ts'

/** `stint ledger copy FROM TO`. */
export async function copyLedger(context: CommandContext, from: string, to: string): Promise<Report> {
  const source = addressOf(context, 'FROM', from)
  const target = addressOf(context, 'TO', to)
  if (source.kind !== 'sqlite') throw notCopied('FROM', source, 'sqlite:PATH')
  if (target.kind !== 'postgres') throw notCopied('TO', target, 'postgres://USER:PASSWORD@HOST:PORT/DATABASE')
  const { file } = source
  if (!isLedgerKnown(file)) throw new StintError('ledger_missing', `There is no ledger at ${file}. Correct the path.`)
  await assertUnused(context, source)
  const sound = await context.platform.ledgerFiles.verify(source)
  if (!sound.ok) {
    const message = `The ledger ${file} does not match its journal, so it is not copied. See: stint verify --store sqlite:${file}`
    throw new StintError('ledger_damaged', message)
  }
  const { readCopy } = await import('../../stores/sqlite/index.ts')
  const { writeCopy } = await import('../../stores/postgres/index.ts')
  const show = progressLine(context)
  const { entries, roots, scopes } = await readCopy(file, (copy) =>
    writeCopy(target.url, copy, ({ table, rows }) => show(`${table}: ${rows.toLocaleString('en-US')}`)),
  ).finally(() => show(null))
  const place = storeText(target)
  const counts = [countText(entries, 'entry', 'entries'), countText(scopes, 'scope')].join(' and ')
  return {
    json: { from: storeText(source), to: place, entries, roots, scopes, ok: true },
    text: `Copied ${counts} of ${printable(file)} to ${printable(place)}, and verified both.`,
    notices: [
      `The file is unchanged. Point everything at the database (STINT_STORE, or \`store\` in the config), and move the file away, so that nothing spends from both.`,
    ],
  }
}

function addressOf({ platform }: CommandContext, name: string, text: string): StoreAddress {
  const address = parseStoreAddress(text, (path) => pathFrom(path, platform.workingFolder, platform.homeFolder))
  if ('kind' in address) return address
  const hint = address.suggestion === null ? '' : ` (did you mean "${address.suggestion}"?)`
  throw new InvalidOptionError(name, address.shown, `${address.form}${hint}`)
}

const OTHER_WAYS =
  'Other ledgers are copied by their own tools: VACUUM INTO for a file, pg_dump for a database. There is no way back from Postgres to a file'

function notCopied(name: string, address: StoreAddress, form: string): StintError<'invalid_option'> {
  return new InvalidOptionError(name, storeText(address), `${form}. ${OTHER_WAYS}`)
}

/** What a living process still spends would be missing in the copy. */
async function assertUnused({ platform }: CommandContext, address: StoreAddress): Promise<void> {
  const store = await openStore(platform, { homeFolder: '', store: { address, place: 'FROM' } }, false)
  try {
    for (const { holder } of await store.holders()) {
      if (platform.isHolderAlive(holder) !== true) continue
      const message = `The process ${holder} still works in ${storeText(address)}. Wait until it ends, or stop it, then copy again.`
      throw new StintError('store_busy', message, { retryable: true })
    }
  } finally {
    await store.dispose()
  }
}

/** One line that is written again and again, for a person at a terminal. */
function progressLine({ platform, isJson }: CommandContext): (text: string | null) => void {
  if (!platform.terminals.error || isJson) return () => {}
  return (text) => platform.writeError(text === null ? '\r\u001b[K' : `\r\u001b[KCopying ${text}`)
}
