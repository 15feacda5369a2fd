import { printable } from '../../core/checks/printable.ts'
import { findScope } from '../../operate/find/find-scope.ts'
import { explainScope } from '../../operate/scopes/explain-scope.ts'
import { explainLimits, resolveLimits } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import { explanationText } from '../output/explanation-text.ts'
import type { Report } from '../output/report.ts'
import { wrapText } from '../output/wrap-text.ts'
import { leftOutLines, leftOutOfConfig, leftOutOfNotices, sayLeftOut } from '../trust/left-out.ts'

/** `stint explain ID`. */
export async function explain(context: CommandContext, text: string): Promise<Report> {
  const operator = await context.operator()
  const json = await explainScope(operator, await findScope(operator, text))
  const parts = json.scopes.map(
    ({ path, limits }) => `${context.paint.bold(printable(path))}\n${explanationText(limits, context.width)}`,
  )
  return { json, text: parts.join('\n\n') }
}

const OF_ROLES = 'stint run adds the limits of the agent and its role: stint agents get AGENT'

/** `stint explain` without an ID. */
export async function explainConfig(context: CommandContext): Promise<Report> {
  const { layers, files } = context.config()
  const resolved = resolveLimits(layers)
  const { onLimit, notices } = resolved
  const limits = explainLimits(resolved)
  const leftOut = [...leftOutOfConfig(context), ...leftOutOfNotices(notices)]
  sayLeftOut(context, [])
  const read = files.length === 0 ? 'No config file was found.' : `Read: ${files.map(({ file }) => file).join(', ')}`
  return {
    json: { files: files.map(({ file, layer }) => ({ file, layer })), onLimit, limits, leftOut },
    text: [
      explanationText(limits, context.width),
      '',
      ...wrapText(OF_ROLES, context.width),
      printable(read),
      ...leftOutLines(leftOut),
    ].join('\n'),
  }
}
