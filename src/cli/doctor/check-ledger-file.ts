import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { storeText } from '../../config/store-address.ts'
import { countText } from '../../operate/count-text.ts'
import { ledgerProblem } from '../../operate/health/check-scopes.ts'
import { type Finding, fine, notice, problem } from '../../operate/health/finding.ts'
import type { CommandContext } from '../command-context.ts'
import { isLedgerKnown } from '../open-store.ts'

const OTHERS = 0o077

/** Checks the ledger's file: it exists, opens, has its whole journal, and is private to this user. */
export async function checkLedgerFile(context: CommandContext): Promise<readonly Finding[]> {
  const { store, homeFolder } = context.config()
  if (store.address.kind === 'memory') return [fine('ledger', 'in memory; every command starts empty')]
  if (store.address.kind === 'postgres') return checkDatabase(store.address.url)
  const { file } = store.address
  if (!isLedgerKnown(file)) return [fine('ledger', `none yet at ${file}; it is created when first needed`)]
  try {
    const { journalMode, sqliteVersion, sizeBytes, entries, highWater } =
      await context.platform.ledgerFiles.describe(file)
    return [
      fine('ledger', `${file}, ${sizeBytes} bytes, ${countText(entries, 'entry', 'entries')}`),
      fine('SQLite', `${sqliteVersion}, journal mode ${journalMode}`),
      checkHighWater(entries, highWater),
      ...(dirname(file) === homeFolder ? checkFolder(homeFolder) : []),
    ]
  } catch (error) {
    return [ledgerProblem(error)]
  }
}

/** The database answers, and what it is. */
async function checkDatabase(url: string): Promise<readonly Finding[]> {
  const place = storeText({ kind: 'postgres', url })
  try {
    const { describeLedger } = await import('../../stores/postgres/index.ts')
    const found = await describeLedger(url)
    if (found === null) return [fine('ledger', `none yet at ${place}; it is created when first needed`)]
    const { entries, sizeBytes, serverVersion, isReplica, isEncrypted, schema, rights } = found
    const connection = isEncrypted ? 'encrypted' : 'not encrypted'
    return [
      fine('ledger', `${place}, ${sizeBytes} bytes, ${countText(entries, 'entry', 'entries')}`),
      fine('Postgres', `${serverVersion}${isReplica ? ', a replica' : ''}, schema ${schema}, ${connection}`),
      fine('rights', `those of ${RIGHTS[rights]}`),
    ]
  } catch (error) {
    return [ledgerProblem(error)]
  }
}

const RIGHTS = {
  reader: 'a reader: status, history, log and verify',
  spender: 'a spender: everything except prune and migrations',
  owner: 'the owner',
}

function checkHighWater(entries: number, highWater: number | null): Finding {
  if (highWater === null) {
    return notice('high-water file', 'missing or unreadable', 'Run `stint verify`; it is written with the next entry.')
  }
  if (highWater <= entries)
    return fine('high-water file', `${countText(highWater, 'entry', 'entries')}, and the journal has them`)
  const detail = `the journal had ${highWater} entries and has ${entries}`
  return problem('high-water file', detail, 'Its end is lost: restore the newest backup of the ledger.')
}

function checkFolder(folder: string): readonly Finding[] {
  // Windows has no such mode.
  const mode = process.platform === 'win32' ? 0 : statSync(folder).mode
  if ((mode & OTHERS) === 0) return [fine('folder', `${folder} is private`)]
  return [problem('folder', `others can access ${folder}`, `Run: chmod 700 ${folder}`)]
}
