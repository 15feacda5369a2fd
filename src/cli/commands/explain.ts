import type { ScopeReading } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import { type ExplanationRow, explainLimits, type ResolvedLimits, resolveLimits } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import { findScope } from '../ledger/find-scope.ts'
import { explanationText } from '../output/explanation-text.ts'
import type { Report } from '../output/report.ts'
import { wrapText } from '../output/wrap-text.ts'
import { leftOutLines, leftOutOfConfig, leftOutOfNotices, sayLeftOut } from '../trust/left-out.ts'

/** `stint explain ID`. */
export async function explainScope(context: CommandContext, text: string): Promise<Report> {
  const nowMs = context.platform.nowMs()
  const store = await context.store()
  const { id, path } = await findScope(store, text, nowMs)
  const scopes = (await store.read({ scopeId: id, atMs: nowMs }))!
  const explained = scopes.map((scope) => ({ scope, rows: rowsOf(scope) }))
  const json = {
    id,
    path,
    scopes: explained.map(({ scope, rows }) => ({ id: scope.id, path: scope.path, limits: rows })),
  }
  const parts = explained.map(
    ({ scope, rows }) => `${context.paint.bold(printable(scope.path))}\n${explanationText(rows, context.width)}`,
  )
  return { json, text: parts.join('\n\n') }
}

/** The ledger keeps the limits that hold and their ceilings, each with its source, and not what they won over. */
function rowsOf(scope: ScopeReading): readonly ExplanationRow[] {
  const { ceilings } = scope
  return explainLimits({ ...resolveLimits([]), limits: scope.limits.map(({ limit }) => limit), ceilings })
}

const OF_ROLES = 'stint run adds those of the agent and its role: stint agents get AGENT'

/** `stint explain` without an ID. */
export async function explainConfig(context: CommandContext): Promise<Report> {
  const { layers, files } = context.config()
  const resolved: ResolvedLimits = resolveLimits(layers)
  const rows = explainLimits(resolved)
  const leftOut = [...leftOutOfConfig(context), ...leftOutOfNotices(resolved.notices)]
  sayLeftOut(context, [])
  const read = files.length === 0 ? 'No config file was found.' : `Read: ${files.map(({ file }) => file).join(', ')}`
  return {
    json: {
      files: files.map(({ file, layer }) => ({ file, layer })),
      onLimit: resolved.onLimit,
      limits: rows,
      leftOut,
    },
    text: [
      explanationText(rows, context.width),
      '',
      ...wrapText(OF_ROLES, context.width),
      printable(read),
      ...leftOutLines(leftOut),
    ].join('\n'),
  }
}
