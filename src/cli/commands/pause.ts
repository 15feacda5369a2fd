import { StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { findScope } from '../ledger/find-scope.ts'
import type { Report } from '../output/report.ts'

/** `stint pause ID`. */
export async function pauseScope(context: CommandContext, text: string, reason: string): Promise<Report> {
  const { platform, by } = context
  const store = await context.store()
  const { id, path } = await findScope(store, text, platform.nowMs())
  const outcome = await store.pause({ scopeId: id, reason, by, atMs: platform.nowMs() })
  if (outcome.kind === 'closed') throw new StintError('scope_closed', `"${path}" has ended: there is nothing to pause.`)
  const isNew = outcome.kind === 'paused'
  const said = isNew ? 'Paused' : 'Was paused already:'
  return {
    json: { id, path, status: 'paused', isNew, pause: outcome.pause },
    text: `${said} ${printable(path)}. To let it go on: stint resume ${printable(id)}`,
  }
}
