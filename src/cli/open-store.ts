import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import type { LedgerStore } from '../core/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'
import type { Platform } from './platform.ts'

/**
 * Opens the ledger that the config names. Looking makes none: where no ledger was ever made, an empty one in memory
 * answers. One that is missing though its high-water file is there is the store's to refuse.
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
  // Only the home is ours to make: a folder that was named and is not there is a mistake.
  return platform.ledgerFiles.open(file, { createFolder: dirname(file) === config.homeFolder })
}

/** Whether a ledger is or was at this place. */
export function isLedgerKnown(file: string): boolean {
  return existsSync(file) || existsSync(`${file}.high-water`)
}
