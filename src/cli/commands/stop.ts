import { isEnded, StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { findScope } from '../ledger/find-scope.ts'
import { stopScope } from '../ledger/stop-scope.ts'
import type { Report } from '../output/report.ts'

/** `stint stop ID`. */
export async function stop(context: CommandContext, text: string, reason: string): Promise<Report> {
  const { platform, by } = context
  const store = await context.store()
  const { id, path, kind, status } = await findScope(store, text, platform.nowMs())
  if (kind === 'lasting') {
    const message = `"${path}" is a budget, which has no end. To let nothing more in: stint pause ${path}`
    throw new StintError('invalid_option', message)
  }
  if (isEnded(status)) throw new StintError('scope_closed', `"${path}" has ended already (${status}).`)
  // Paused first, so that nothing new is opened there meanwhile, and the journal has who it was and why.
  await store.pause({ scopeId: id, reason, by, atMs: platform.nowMs() })
  const stopped = await stopScope(store, id, platform.nowMs)
  const below = stopped.length > 1 ? ` and ${stopped.length - 1} below it` : ''
  return { json: { id, path, status: 'stopped', stopped }, text: `Stopped ${printable(path)}${below}.` }
}
