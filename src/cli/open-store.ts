import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { DEFAULT_ALERTS, type LedgerStore } from '../core/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'
import type { Platform } from './platform.ts'

/**
 * Opens the ledger that the config names. Reading never creates one: if there has never been a ledger, an empty one in
 * memory is used. If only its high-water file exists, the store refuses to open it.
 */
export async function openStore(
  platform: Platform,
  config: Pick<Config, 'homeFolder' | 'store'> & Partial<Pick<Config, 'alerts'>>,
  create: boolean,
  address = config.store.address,
): Promise<LedgerStore> {
  const alerts = config.alerts ?? DEFAULT_ALERTS
  if (address.kind === 'memory') return createMemoryStore({ alerts })
  if (address.kind === 'postgres') {
    const { createPostgresStore, describeLedger } = await import('../stores/postgres/index.ts')
    if (!create && (await describeLedger(address.url)) === null) return createMemoryStore({ alerts })
    return createPostgresStore({ url: address.url, alerts })
  }
  const { file } = address
  if (!create && !isLedgerKnown(file)) return createMemoryStore({ alerts })
  // We only create the home folder: any other folder that does not exist is a mistake.
  return platform.ledgerFiles.open(file, { createFolder: dirname(file) === config.homeFolder, alerts })
}

/** Whether a ledger is or was at this place. */
export function isLedgerKnown(file: string): boolean {
  return existsSync(file) || existsSync(`${file}.high-water`)
}
