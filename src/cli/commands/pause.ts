import { printable } from '../../core/checks/printable.ts'
import { findScope } from '../../operate/find/find-scope.ts'
import { pauseScope } from '../../operate/scopes/pause-scope.ts'
import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'

/** `stint pause ID`. */
export async function pause(context: CommandContext, text: string, reason: string): Promise<Report> {
  const operator = await context.operator()
  const json = await pauseScope(operator, await findScope(operator, text), reason)
  const { id, path, isNew } = json
  const done = isNew ? 'Paused' : 'Already paused:'
  return { json, text: `${done} ${printable(path)}. To resume it: stint resume ${printable(id)}` }
}
