import { usersStore } from '../../config/prepare-config.ts'
import { isStintError, StintError } from '../../core/index.ts'
import { parseHolder } from '../../system/holders/holder.ts'
import { ancestorsOf, createProcessTable, enclosingRuns } from '../../system/processes/index.ts'
import { isLedgerKnown } from '../open-store.ts'
import type { Platform } from '../platform.ts'

/**
 * Whether this `stint` was started from inside a run: its environment or that of a process above it is marked, or one of
 * those runs something in the user's ledger. It is not a wall, since a shell can do whatever its user can.
 */
export async function isInsideRun(platform: Platform): Promise<boolean> {
  const { STINT_SCOPE: scope } = platform.env
  const table = createProcessTable()
  if (scope || enclosingRuns(platform.env, table, process.pid).size > 0) return true
  // This very process is not inside of what it runs itself.
  const above = new Set(ancestorsOf(table, process.pid).map(({ pid }) => pid))
  above.delete(process.pid)
  return (await holdersOf(platform)).some((holder) => {
    const pid = parseHolder(holder)?.pid
    return pid !== undefined && above.has(pid) && platform.isHolderAlive(holder) === true
  })
}

/** Throws where an agent would trust what it may have written itself. */
export async function refuseInsideRun(platform: Platform, what: string): Promise<void> {
  if (!(await isInsideRun(platform))) return
  const message = `${what} is refused inside a run, because an agent could have written what it would trust. Do it from outside of the run.`
  throw new StintError('inside_run', message)
}

async function holdersOf(platform: Platform): Promise<readonly string[]> {
  try {
    const { address } = await usersStore(platform)
    if (address.kind !== 'sqlite' || !isLedgerKnown(address.file)) return []
    const store = await platform.ledgerFiles.open(address.file, { createFolder: false })
    try {
      return (await store.holders()).map(({ holder }) => holder)
    } finally {
      await store.dispose()
    }
  } catch (error) {
    if (!isStintError(error)) throw error
    // A ledger that cannot be opened runs nothing. What is wrong with it, the command itself says.
    return []
  }
}
