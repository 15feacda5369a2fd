import type { Command } from 'commander'
import type { ScopeReading } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import {
  type ExplanationRow,
  explainLimits,
  formatExplanation,
  type ResolvedLimits,
  resolveLimits,
} from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import { findScope } from '../ledger/find-scope.ts'
import type { Report } from '../output/report.ts'
import type { RunCommand } from '../run-command.ts'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'

/** `stint explain [ID]`: every effective limit with its layer, file and line. */
export function addExplain(program: Command, run: RunCommand): void {
  program
    .command('explain')
    .description('show where every limit of a scope comes from; without ID, what the config gives to runs from here')
    .argument('[ID]', SCOPE_ARGUMENT)
    .addHelpText('after', examples('stint explain team:core/triage', 'stint explain'))
    .action((id: string | undefined, _: unknown, command: Command) =>
      run(command, (context) => (id === undefined ? explainConfig(context) : explainScope(context, id))),
    )
}

async function explainScope(context: CommandContext, text: string): Promise<Report> {
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
    ({ scope, rows }) => `${context.paint.bold(printable(scope.path))}\n${formatExplanation(rows)}`,
  )
  return { json, text: parts.join('\n\n') }
}

/** The ledger keeps the limits that hold, each with its source, and not what they won over. */
function rowsOf(scope: ScopeReading): readonly ExplanationRow[] {
  const resolved = resolveLimits([])
  return explainLimits({ ...resolved, limits: scope.limits.map(({ limit }) => limit) })
}

async function explainConfig(context: CommandContext): Promise<Report> {
  const { layers, files } = context.config()
  const resolved: ResolvedLimits = resolveLimits(layers)
  const rows = explainLimits(resolved)
  const read = files.length === 0 ? 'No config file was found.' : `Read: ${files.map(({ file }) => file).join(', ')}`
  return {
    json: { files: files.map(({ file, layer }) => ({ file, layer })), onLimit: resolved.onLimit, limits: rows },
    text: `${formatExplanation(rows)}\n\n${printable(read)}`,
  }
}
