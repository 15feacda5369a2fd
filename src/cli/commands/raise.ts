import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { changeLimits } from '../ledger/change-limits.ts'
import { findScope } from '../ledger/find-scope.ts'
import { refuseOwnRun } from '../ledger/refuse-own-run.ts'
import { withAssumed } from '../ledger/with-assumed.ts'
import { standingsOf } from '../output/limit-standing.ts'
import type { Report } from '../output/report.ts'
import { limitJson } from '../output/scope-json.ts'
import { cutByCeilings, limitLines } from './limit-changes.ts'
import { commandFor, limitsFromFlags } from './limits-from-flags.ts'

/** `stint raise ID`. */
export async function raise(
  context: CommandContext,
  text: string,
  options: { readonly limit: readonly string[]; readonly timeZone?: string },
): Promise<Report> {
  const { platform, by } = context
  // What is wrong with them is said before anything is opened.
  limitsFromFlags(options.limit, options.timeZone)
  const { ceilings } = context.config()
  const store = await context.store()
  const found = await findScope(store, text, platform.nowMs())
  const { id, path, kind } = found
  await refuseOwnRun(context, store, found)
  const written = limitsFromFlags(options.limit, options.timeZone, commandFor('stint raise', id))
  // Ceilings are for runs: a team's day may have more than any of its runs.
  const change = { layers: [written], ceilings: kind === 'lasting' ? [] : ceilings, by, nowMs: platform.nowMs }
  const changed = await changeLimits(store, { scopeId: id, ...change })
  const [scope = changed] = await withAssumed(store, [changed], platform.nowMs())
  return {
    json: { id, path, revision: scope.revision, limits: standingsOf(scope).map(limitJson) },
    text: `The limits of ${printable(path)} are now:\n${limitLines(scope)}`,
    notices: cutByCeilings(scope, [written]),
  }
}
