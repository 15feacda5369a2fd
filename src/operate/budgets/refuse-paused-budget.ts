import { printable } from '../../core/checks/printable.ts'
import { StintError } from '../../core/index.ts'
import { findBudget } from '../find/find-budget.ts'
import type { LedgerReader } from '../operator.ts'

/** Refuses to start anything in a budget that is paused, or whose parent is. */
export async function refusePausedBudget({ store, nowMs }: LedgerReader, budgetId: string): Promise<void> {
  const path = (await store.read({ scopeId: budgetId, atMs: nowMs() })) ?? []
  const paused = path.find(({ status }) => status === 'paused')
  if (paused === undefined) return
  const { id, pause } = paused
  const who = pause?.by ? ` by ${pause.by}` : ''
  const why = pause?.reason ? ` (${pause.reason})` : ''
  const text = `The budget "${id}" is paused${who}${why}, so nothing can start in it.`
  throw new StintError('scope_paused', printable(`${text} To resume it: stint resume ${id}`), { retryable: true })
}

/** The id of a budget that a run can start in. An unknown one is a typo, and must not be created without limits. */
export async function unpausedBudget(reader: LedgerReader, key: string): Promise<string> {
  const { id } = await findBudget(reader, key)
  await refusePausedBudget(reader, id)
  return id
}
