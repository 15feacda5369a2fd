import { printable } from '../../core/checks/printable.ts'
import { checkScopes, ledgerProblem } from '../../operate/health/check-scopes.ts'
import type { Finding } from '../../operate/health/finding.ts'
import type { CommandContext } from '../command-context.ts'
import { checkConfig } from '../doctor/check-config.ts'
import { checkLedgerFile } from '../doctor/check-ledger-file.ts'
import { checkLeftCommands } from '../doctor/check-left-commands.ts'
import { checkNode } from '../doctor/check-node.ts'
import { checkWebhooks } from '../doctor/check-webhooks.ts'
import type { Paint } from '../output/paint.ts'
import type { Report } from '../output/report.ts'
import { worktreeFolder } from '../worktree-folder.ts'

/** `stint doctor`. */
export async function examine(context: CommandContext): Promise<Report> {
  const config = checkConfig(context)
  const findings: Finding[] = [checkNode(context.platform.nodeVersion), ...config]
  // The config names the ledger, and has settings for agents.
  if (config.every(({ state }) => state !== 'problem')) {
    const { checkAgents } = await import('../doctor/check-agents.ts')
    const { checkTrust } = await import('../doctor/check-trust.ts')
    findings.push(...(await checkTrust(context)), ...checkAgents(context))
    const { checkWorktrees } = await import('../doctor/check-worktrees.ts')
    findings.push(...checkWorktrees(worktreeFolder(context.config().homeFolder)))
    const file = await checkLedgerFile(context)
    findings.push(...file)
    if (file.every(({ state }) => state !== 'problem')) findings.push(...(await checkLedger(context)))
  }
  const isWell = findings.every(({ state }) => state !== 'problem')
  const lines = findings.map((finding) => lineOf(finding, context.paint))
  const verdict = isWell ? 'No problems found.' : 'Problems found: see above.'
  return { json: { ok: isWell, findings }, text: [...lines, '', verdict].join('\n'), exitCode: isWell ? 0 : 1 }
}

async function checkLedger(context: CommandContext): Promise<readonly Finding[]> {
  try {
    const { findings, orphans } = await checkScopes(await context.operator())
    return [...findings, ...checkLeftCommands(orphans), ...(await checkWebhooks(context))]
  } catch (error) {
    return [ledgerProblem(error)]
  }
}

const MARKS = { ok: 'ok', notice: 'note', problem: 'wrong' } as const

function lineOf({ state, subject, detail, remedy }: Finding, paint: Paint): string {
  const colour = { ok: paint.green, notice: paint.yellow, problem: paint.red }[state]
  const line = `${colour(MARKS[state].padEnd(5))}  ${subject}: ${printable(detail)}`
  return remedy === null ? line : `${line}\n       → ${printable(remedy)}`
}
