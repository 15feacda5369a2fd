import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import type { LedgerStore } from '../core/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'
import type { Platform } from './platform.ts'

/**
 * Opens the ledger that the config names. Reading never creates one: if there has never been a ledger, an empty one in
 * memory is used. If only its high-water file exists, the store refuses to open it.
 */
export async function openStore(
  platform: Platform,
  config: Config,
  create: boolean,
  address = config.store.address,
): Promise<LedgerStore> {
  if (address.kind === 'memory') return createMemoryStore()
  const { file } = address
  if (!create && !isLedgerKnown(file)) return createMemoryStore()
  // We only create the home folder: any other folder that does not exist is a mistake.
  return platform.ledgerFiles.open(file, { createFolder: dirname(file) === config.homeFolder })
}

/** Whether a ledger is or was at this place. */
export function isLedgerKnown(file: string): boolean {
  return existsSync(file) || existsSync(`${file}.high-water`)
}
