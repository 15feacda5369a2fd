import { usersStore } from '../../config/prepare-config.ts'
import { isStintError, StintError } from '../../core/index.ts'
import { parseHolder } from '../../system/holders/holder.ts'
import { ancestorsOf, createProcessTable, enclosingRuns } from '../../system/processes/index.ts'
import { openStore } from '../open-store.ts'
import type { Platform } from '../platform.ts'

/**
 * Whether this `stint` was started inside a run: its environment or a parent's is marked, or one of them runs something
 * in the user's ledger. This is not a security boundary, since a shell can do whatever its user can.
 */
export async function isInsideRun(platform: Platform): Promise<boolean> {
  const { STINT_SCOPE: scope } = platform.env
  const table = createProcessTable()
  if (scope || enclosingRuns(platform.env, table, process.pid).size > 0) return true
  // A process is not inside what it runs itself.
  const above = new Set(ancestorsOf(table, process.pid).map(({ pid }) => pid))
  above.delete(process.pid)
  return (await holdersOf(platform)).some((holder) => {
    const pid = parseHolder(holder)?.pid
    return pid !== undefined && above.has(pid) && platform.isHolderAlive(holder) === true
  })
}

/** Throws if an agent would trust what it may have written itself. */
export async function refuseInsideRun(platform: Platform, what: string): Promise<void> {
  if (!(await isInsideRun(platform))) return
  const message = `${what} is refused inside a run, because an agent could have written what it would trust. Do it outside the run.`
  throw new StintError('inside_run', message)
}

async function holdersOf(platform: Platform): Promise<readonly string[]> {
  try {
    const { address } = await usersStore(platform)
    const store = await openStore(platform, { homeFolder: '', store: { address, place: '' } }, false)
    try {
      return (await store.holders()).map(({ holder }) => holder)
    } finally {
      await store.dispose()
    }
  } catch (error) {
    if (!isStintError(error)) throw error
    // A ledger that cannot be opened runs nothing. The command itself reports what is wrong.
    return []
  }
}
