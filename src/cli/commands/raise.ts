import { printable } from '../../core/checks/printable.ts'
import { findScope } from '../../operate/find/find-scope.ts'
import { changedLimitsView, changeLimits } from '../../operate/limits/change-limits.ts'
import { commandFor } from '../../policy/limits/command-for.ts'
import type { CommandContext } from '../command-context.ts'
import { limitsFromFlags } from '../flags/limits-from-flags.ts'
import { refuseOwnRun } from '../ledger/refuse-own-run.ts'
import { cutByCeilings, limitLines } from '../output/limit-changes.ts'
import type { Report } from '../output/report.ts'

/** `stint raise ID`. */
export async function raise(
  context: CommandContext,
  text: string,
  { limit, timeZone }: { readonly limit: readonly string[]; readonly timeZone?: string },
): Promise<Report> {
  // Report mistakes before anything is opened.
  limitsFromFlags(limit, timeZone)
  const { ceilings } = context.config()
  const operator = await context.operator()
  const found = await findScope(operator, text)
  await refuseOwnRun(context, operator.store, found)
  const written = limitsFromFlags(limit, timeZone, commandFor('stint raise', found.id))
  const scope = await changeLimits(operator, found, { layers: [written], ceilings })
  return {
    json: changedLimitsView(scope),
    text: `The limits of ${printable(scope.path)} are now:\n${limitLines(scope)}`,
    notices: cutByCeilings(scope, [written]),
  }
}
