import { type LedgerStore, StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'

/** Refuses to begin something in a budget that a person has paused, or in one that is within a paused one. */
export async function refusePausedBudget(store: LedgerStore, budgetId: string, atMs: number): Promise<void> {
  const path = (await store.read({ scopeId: budgetId, atMs })) ?? []
  const paused = path.find(({ status }) => status === 'paused')
  if (paused === undefined) return
  const { id, pause } = paused
  const who = pause?.by ? ` by ${pause.by}` : ''
  const why = pause?.reason ? ` (${pause.reason})` : ''
  const text = `The budget "${id}" is paused${who}${why}, so that nothing is begun in it.`
  throw new StintError('scope_paused', printable(`${text} To let it go on: stint resume ${id}`), { retryable: true })
}
