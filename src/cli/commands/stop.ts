import { printable } from '../../core/checks/printable.ts'
import { findScope } from '../../operate/find/find-scope.ts'
import { stopScope } from '../../operate/scopes/stop-scope.ts'
import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'

/** `stint stop ID`. */
export async function stop(context: CommandContext, text: string, reason: string): Promise<Report> {
  const operator = await context.operator()
  const json = await stopScope(operator, await findScope(operator, text), reason)
  const { path, stopped } = json
  const below = stopped.length > 1 ? ` and ${stopped.length - 1} below it` : ''
  return { json, text: `Stopped ${printable(path)}${below}.` }
}
