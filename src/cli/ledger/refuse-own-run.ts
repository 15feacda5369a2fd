import { type LedgerStore, type ScopeReading, StintError } from '../../core/index.ts'
import { createProcessTable, enclosingRuns } from '../../system/processes/index.ts'
import type { CommandContext } from '../command-context.ts'

/**
 * Throws if this `stint` was started inside any run of this ledger: corrections, approvals and changes also affect the
 * scopes above, and an agent must not change budgets.
 */
export async function refuseInsideLedger(
  { platform }: CommandContext,
  store: LedgerStore,
  what: string,
): Promise<void> {
  for (const runId of enclosingRuns(platform.env, createProcessTable(), process.pid)) {
    const run = await store.read({ scopeId: runId, atMs: platform.nowMs() })
    if (run === null) continue
    const message = `${what} is refused inside the run "${run.at(-1)!.path}". Do it outside the run.`
    throw new StintError('inside_run', message)
  }
}

/**
 * Throws if this `stint` was started inside a run and would give more to that run or to a scope that pays for it: an
 * agent with a shell must not raise its own limits. This is not a security boundary: a shell can do whatever its user
 * can.
 */
export async function refuseOwnRun(
  { platform }: CommandContext,
  store: LedgerStore,
  { id, path }: Pick<ScopeReading, 'id' | 'path'>,
): Promise<void> {
  for (const runId of enclosingRuns(platform.env, createProcessTable(), process.pid)) {
    // A run in another ledger, e.g. when an agent works on Stint itself, is unrelated.
    const run = (await store.read({ scopeId: runId, atMs: platform.nowMs() })) ?? []
    if (!run.some((scope) => scope.id === id)) continue
    const what = id === runId ? 'is the run' : `pays for the run "${run.at(-1)!.path}"`
    const message = `"${path}" ${what} that this was started from: a run cannot give itself more. Do it outside the run.`
    throw new StintError('inside_run', message)
  }
}
