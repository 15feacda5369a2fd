import { type LedgerStore, type ScopeReading, StintError } from '../../core/index.ts'
import { createProcessTable, enclosingRuns } from '../../system/processes/index.ts'
import type { CommandContext } from '../command-context.ts'

/**
 * Throws where this `stint` was started from inside any run of this ledger: what is corrected, approved or set for one
 * scope is charged to those above it too, and an agent's words change no budget.
 */
export async function refuseInsideLedger(
  { platform }: CommandContext,
  store: LedgerStore,
  what: string,
): Promise<void> {
  for (const runId of enclosingRuns(platform.env, createProcessTable(), process.pid)) {
    const run = await store.read({ scopeId: runId, atMs: platform.nowMs() })
    if (run === null) continue
    const message = `${what} is refused inside the run "${run.at(-1)!.path}". Do it from outside of the run.`
    throw new StintError('inside_run', message)
  }
}

/**
 * Throws where this `stint` was started from inside a run, and would give more to that run or to a scope that pays for it:
 * an agent with a shell must not raise its own limits. It is not a wall: a shell can do whatever its user can.
 */
export async function refuseOwnRun(
  { platform }: CommandContext,
  store: LedgerStore,
  { id, path }: Pick<ScopeReading, 'id' | 'path'>,
): Promise<void> {
  for (const runId of enclosingRuns(platform.env, createProcessTable(), process.pid)) {
    // A run of another ledger, e.g. where an agent works on Stint itself, has nothing to do with this one.
    const run = (await store.read({ scopeId: runId, atMs: platform.nowMs() })) ?? []
    if (!run.some((scope) => scope.id === id)) continue
    const what = id === runId ? 'is the run' : `pays for the run "${run.at(-1)!.path}"`
    const message = `"${path}" ${what} that this was started from: a run cannot give more to itself. Do it from outside of the run.`
    throw new StintError('inside_run', message)
  }
}
