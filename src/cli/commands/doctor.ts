import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { checkConfig } from '../doctor/check-config.ts'
import { checkLedgerFile } from '../doctor/check-ledger-file.ts'
import { checkNode } from '../doctor/check-node.ts'
import { checkScopes } from '../doctor/check-scopes.ts'
import type { Finding } from '../doctor/finding.ts'
import type { Paint } from '../output/paint.ts'
import type { Report } from '../output/report.ts'

/** `stint doctor`. */
export async function examine(context: CommandContext): Promise<Report> {
  const config = checkConfig(context)
  const findings: Finding[] = [checkNode(context.platform.nodeVersion), ...config]
  // Without a config nobody knows which ledger is meant, nor what it says of agents.
  if (config.every(({ state }) => state !== 'problem')) {
    const { checkAgents } = await import('../doctor/check-agents.ts')
    const { checkTrust } = await import('../doctor/check-trust.ts')
    findings.push(...(await checkTrust(context)), ...checkAgents(context))
    const file = await checkLedgerFile(context)
    findings.push(...file)
    if (file.every(({ state }) => state !== 'problem')) findings.push(...(await checkScopes(context)))
  }
  const isWell = findings.every(({ state }) => state !== 'problem')
  const lines = findings.map((finding) => lineOf(finding, context.paint))
  const verdict = isWell ? 'Nothing is wrong.' : 'Something is wrong: see above.'
  return { json: { ok: isWell, findings }, text: [...lines, '', verdict].join('\n'), exitCode: isWell ? 0 : 1 }
}

const MARKS = { ok: 'ok', notice: 'note', problem: 'wrong' } as const

function lineOf({ state, subject, detail, remedy }: Finding, paint: Paint): string {
  const colour = { ok: paint.green, notice: paint.yellow, problem: paint.red }[state]
  const line = `${colour(MARKS[state].padEnd(5))}  ${subject}: ${printable(detail)}`
  return remedy === null ? line : `${line}\n       → ${printable(remedy)}`
}
